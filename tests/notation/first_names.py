"""First names and surnames that people sign with, Italian and English, for sweeps of signatures."""

from __future__ import annotations

_ITALIAN = """
Ada Adele Adelaide Adriana Adriano Agata Agnese Agostino Aida Alba Alberta Alberto Alda Aldo Ale
Alessandra Alessandro Alessia Alessio Alex Alfio Alfonso Alfredo Alice Alina Allegra Amalia Ambra
Ambrogio Amedeo Amelia Ancilla Andrea Angela Angelica Angelo Anita Anna Annalisa Annamaria Anselmo
Antonella Antonia Antonio Ariana Arianna Armando Arnaldo Arsenio Artemisia Arturo Asia Assunta
Astrid Attilio Augusta Augusto Aurelia Aurelio Aurora Azzurra Barbara Bartolomeo Basilio Beatrice
Benedetta Benedetto Beniamino Berenice Bernardo Bianca Biagio Bice Boris Brando Brigida Bruna
Bruno Camilla Camillo Candida Carla Carlo Carlotta Carmela Carmelo Carmine Carolina Caterina
Cecilia Celeste Celestino Cesare Chiara Christian Cinzia Cipriano Ciro Clara Clarissa Claudia
Claudio Clelia Clemente Cleopatra Clotilde Concetta Corinna Corrado Cosimo Costantino Costanza
Cristian Cristiana Cristiano Cristina Dafne Dalia Damiano Daniela Daniele Dario Davide Debora
Delia Demetrio Denise Desdemona Diana Diego Diletta Dino Domenica Domenico Donata Donatella Donato
Dora Doriana Duccio Edda Edgardo Edith Edoardo Egidio Elena Eleonora Elettra Elia Eliana Elio
Elisa Elisabetta Eloisa Elsa Elvira Emanuela Emanuele Emilia Emilio Emma Ennio Enrica Enrico Enzo
Ercole Erica Erika Ermanno Erminia Ernesto Ester Ettore Eugenia Eugenio Eva Evelina Ezio Fabiana
Fabiano Fabio Fabrizio Fausta Fausto Federica Federico Felice Ferdinando Ferruccio Filippo
Fiorella Fiorenza Flavia Flavio Flora Franca Francesca Francesco Franco Fulvia Fulvio Gabriele
Gabriella Gaetano Gaia Gaspare Gemma Gennaro Germana Gerardo Giacomo Giada Gian Giancarlo Gianluca
Gianna Gianni Gilda Gina Gino Gioia Giordano Giorgia Giorgio Giosuè Giovanna Giovanni Girolamo
Giulia Giuliana Giuliano Giulio Giuseppe Giuseppina Giustina Gloria Goffredo Grazia Graziella
Greta Guglielmo Guido Ida Ignazio Ilaria Ilenia Ilio Imma Ines Ionia Irene Iris Isa Isabella
Isidoro Italo Ivan Ivana Ivo Jacopo Jolanda Katia Lara Larissa Laura Lavinia Lea Leandro Leda
Lella Leo Leonardo Leone Letizia Lia Liana Libero Lidia Liliana Linda Lino Lisa Livia Livio
Loredana Lorella Lorenza Lorenzo Loretta Luana Luca Lucia Luciana Luciano Lucio Lucrezia Ludovica
Ludovico Luigi Luigia Luisa Luna Maddalena Manfredi Manlio Manuel Manuela Mara Marcella Marcello
Marco Margherita Maria Marianna Mariano Mariella Marina Marino Mario Marisa Marta Martina Martino
Marzia Massimiliano Massimo Matilde Matteo Mattia Maura Maurizio Mauro Melania Melissa Menotti Mia
Michela Michele Milena Mirco Mirella Miriam Moira Monia Monica Morena Nadia Natale Natalia Nella
Nicola Nicoletta Nicolò Nilde Nina Nino Noemi Norma Nunzia Odetta Ofelia Olbia Olga Olimpia
Oliviero Olivia Omar Orazio Oreste Ornella Orsola Oscar Osvaldo Ottavia Ottavio Ottone Palmira
Paola Paolo Pasquale Patrizia Patrizio Perla Petra Piera Piero Pierluigi Pietro Pina Pino
Priscilla Quirino Rachele Raffaella Raffaele Ramona Rebecca Regina Remo Renata Renato Renzo
Riccardo Rina Rita Roberta Roberto Rocco Rodolfo Rodrigo Roma Romano Romeo Romina Rosa Rosalba
Rosalia Rosanna Rosario Rosella Rossana Rossella Rosita Ruggero Rut Sabina Sabrina Salvatore
Samanta Samuele Sandra Sandro Sante Sara Saverio Savino Sebastiano Selene Serena Sergio Sibilla
Silvana Silvano Silvia Silvio Simona Simone Sofia Sonia Stefania Stefano Stella Susanna Sveva
Tamara Tania Tarcisio Tatiana Tazio Tea Tecla Teo Teodora Teodoro Teresa Tiberio Tina Tito Tiziana
Tiziano Tommaso Tonino Tosca Tullia Tullio Ubaldo Ugo Ulisse Umberto Uranio Valentina Valentino
Valeria Valerio Vanda Vanessa Vera Veronica Viola Virginia Virgilio Vito Vittoria Vittorio Viviana
Vincenzo Walter Wanda Ylenia Yuri Zaira Zeno Zita Zoe
"""

_ENGLISH = """
Aaron Abby Abigail Abraham Adam Adrian Agatha Aidan Al Alan Albert Alec Alexa Alexander Alexandra
Alexandria Alexis Alfred Alison Allan Alma Alvin Alyssa Amanda Amber Amy Ann Anne Annie Anthony
April Archie Ari Ariel Arnold Arthur Ashley Audrey Austin Ava Barbara Barney Barry Bart Basil
Becky Belinda Ben Benjamin Bernard Bert Bertha Beth Betty Beverly Bill Blake Bob Bonnie Brad
Bradley Brandon Brenda Brent Brett Brian Bridget Brittany Bruce Bryan Caleb Calvin Cameron Candice
Carl Carol Caroline Carrie Casey Catherine Cathy Cecil Chad Charles Charlie Charlotte Chelsea
Cheryl Chester Chloe Chris Christina Christine Christopher Cindy Claire Clarence Clark Clay
Clifford Clint Clive Cody Colin Colleen Connor Cora Cordelia Corey Courtney Craig Crystal Curtis
Cynthia Cyril Cyrus Daisy Dale Damian Dan Daniel Daphne Darcy Darren Dave David Dawn Dean Deborah
Debra Dennis Derek Desmond Dexter Diane Dick Dolores Dominic Don Donald Donna Doreen Doris Dorothy
Doug Douglas Duncan Dustin Dwight Dylan Earl Ed Eddie Edgar Edith Edmund Edward Edwin Eileen
Elaine Eleanor Eli Elijah Elizabeth Ella Ellen Elliot Elmer Emily Eric Ernest Esther Ethan Ethel
Eugene Eunice Eve Evelyn Fay Felicity Felix Fiona Florence Floyd Frances Francis Frank Fred Freda
Frederick Gabe Gabriel Gail Gareth Gary Gavin Gene Geoff George Gerald Geraldine Gertrude Gilbert
Gladys Glen Gordon Grace Graham Grant Greg Gregory Guy Gwen Hannah Harold Harriet Harry Harvey
Hazel Heather Hector Helen Henry Herbert Hilary Hilda Holly Homer Hope Horace Howard Hubert Hugh
Hugo Ian Imogen Ingrid Ira Irving Isaac Isabel Israel Ivor Ivy Jack Jackie Jacob Jade James Jamie
Jan Jane Janet Janice Jasmine Jason Jasper Jay Jean Jeff Jeffrey Jennifer Jenny Jeremy Jerome
Jerry Jesse Jessica Jill Jim Jimmy Joan Joanna Joe Joel John Johnny Jon Jonathan Jordan Joseph
Joshua Joy Joyce Juan Judith Judy Julia Julian Julie Juliet June Justin Karen Kate Katherine
Kathleen Katie Kay Keith Kelly Ken Kenneth Kenny Kerry Kevin Kim Kirk Kirsty Kristen Kurt Kyle
Lance Larry Lauren Laurence Lawrence Leah Lee Leigh Leonard Leroy Leslie Lester Lewis Liam Lilian
Lily Lindsay Lionel Lloyd Logan Lois Lola London Lorna Lorraine Lou Louis Louise Lucas Lucy Luke
Lydia Lynn Mabel Mac Madison Maggie Mal Malcolm Mandy Marc Margaret Marge Marian Marie Marilyn
Marion Marjorie Mark Marlene Marlon Marshall Martha Martin Marvin Mary Mat Matt Matthew Maude
Maureen Maurice Mavis Max Maxine May Megan Melanie Melinda Melvin Memphis Mercedes Merv Mervyn
Michael Michelle Mick Mike Mildred Miles Millie Milton Minnie Miranda Mitchell Moira Molly Morgan
Morris Muriel Myles Myra Myrtle Nancy Naomi Natalie Nathan Nathaniel Ned Neil Nelson Nicholas Nick
Nicole Nigel Noah Noel Nora Norman Oliver Ollie Oscar Oswald Otis Owen Pam Pamela Paris Pat
Patience Patricia Patrick Patsy Paul Paula Pauline Pearl Peggy Penelope Penny Per Percy Persis
Perry Pete Peter Phil Philip Phoebe Phyllis Piers Polly Poppy Preston Prudence Quentin Rachel
Ralph Randy Ray Raymond Rebecca Reg Reginald Rhoda Rhys Richard Rick Ricky Rob Robert Robin Rod
Roderick Rodney Roger Roland Ron Ronald Rory Rosalind Rose Rosemary Ross Rowena Roy Ruby Rufus
Rupert Russell Ruth Ryan Sabrina Sally Sam Samantha Samuel Sandy Sarah Saul Scott Sean Selina Seth
Shane Shannon Sharon Sheila Shelley Shirley Sian Sid Sidney Silas Simon Solomon Sophia Spencer
Stacey Stan Stanley Stephanie Stephen Steve Steven Stewart Stuart Sue Susan Susie Suzanne Sybil
Sylvia Tabitha Tara Ted Teddy Terence Terry Tess Tessa Thelma Theo Theodore Theresa Thessaly
Thomas Tiffany Tim Timothy Tina Toby Todd Tom Toni Tony Tracy Travis Trevor Tristan Troy Tyler
Valerie Vera Verity Vernon Vicky Victor Victoria Vincent Violet Vivian Wade Wallace Walter Wanda
Warren Wayne Wendy Wesley Wilfred Will William Willie Willow Winifred Winston Yvonne Zachary
"""

_SURNAMES = """
Rossi Ferrari Russo Bianchi Esposito Romano Gallo Costa Fontana Conti Ricci Bruno Moretti Marino
Greco Barbieri Lombardi Giordano Colombo Mancini Longo Leone Martinelli Serra Sarti Bassi Tirelli
Menni Cipriani Assirelli Susini Attica Teodori Milesi Siriani Babini Celani Rodini Cretella
Pontini Battaglia Smith Jones Taylor Brown Williams Wilson Johnson Davies Patel Wright Walker
White Green Hall Wood Thompson Robinson Martin Clarke Lewis Hill Cooper King Baker Turner
Memphis Antioch Bart Pella
"""

FIRST_NAMES = tuple(dict.fromkeys(f"{_ITALIAN} {_ENGLISH}".split()))
SURNAMES = tuple(_SURNAMES.split())
