"""Names of people that are everyday words as well, in English and Italian.

Open this for anonymous games, where texts are searched for names: a player named Will or Sara may
write "I will" and "sarà".  Words are without accents and in small letters.
"""

from __future__ import annotations

_ENGLISH = """
    amber angel april archer art august autumn baker ball banks bell best bill bird bishop black
    bond bridges brook brown bush butler carry carter case chase christian church cook cross
    daisy dale dawn day dean den der drew drive duke earl early east eve faith field fields
    fisher fleet ford forest fox frank gene general glen good grace grant gray green grey guy
    hall harmony heather hill holly hope house hunter iris ivy jack jay joy june just king
    knight lamb lance lane late lily little long lord love major mark marsh marshal martin mason
    max may mean mercy miles mills moon moore nick night noble north olive page park parker pat
    patience peace pearl penny pierce potter power powers price prince rain ray read rich rivers
    rob robin rose roses ruby rush see sharp short sky small smith snow south star stark
    sterling stone storm strong sue summer swift tell ten the true turner van victor violet von
    walker wall waters west white will winter wise wolf wood woods young
"""

_ITALIAN = """
    al alba alla allo alma amato ambra amici amico aurora barba barone bassi basso bella bello
    benedetto bianca bianco boschi bosco bruna campi campo candido capitano capra castello
    cavaliere chiara chiaro chiesa clemente colomba con conte corsa costa costante costanza
    croce da dai dal dall dalla de degli dei del dell della delle dello di dolce domenica duca
    falco fede felice ferro fiume fontana forte forti fortuna franca franco gallo gemma generale
    gentile gioia giorno giusta giusto gli gloria grande grandi grasso grazia guerra guida la
    lago le leone letizia li libera libero linda lo longo luce luna lupo maggio marchese marco
    mare mari marina marino massima massimo merlo mia mio mira modesto monaco montagna monte
    monti natale nero neve noi norma notte nove oliva onesto ora otto pace pacifico palma papa
    parte parti pasqua passa passo perla pesce pia piano piazza pio poi ponte ponti porta prima
    primo principe prospero punta quarto quinto re remo ricci riva rocca romano rosa sabato
    saggio sala salva san santa santo sara secondo senza serena sereno serra sette settimo
    soldato sole speranza stella strada terra terzo testa torre valente valle valli vento vera
    verde vero vescovo via villa viola vita vitale vittoria vittorie viva viviana vivo volpe
"""

EVERYDAY_WORDS = frozenset(f"{_ENGLISH} {_ITALIAN}".split())
"""Words that are a name only where they stand as one."""
