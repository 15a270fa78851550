"""How mail travels: mailboxes and files it comes from, servers it leaves by, passwords."""
