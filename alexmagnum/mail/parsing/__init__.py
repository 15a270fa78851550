"""Reading a mail: from its bytes to the words a person wrote now and the commands in them."""
