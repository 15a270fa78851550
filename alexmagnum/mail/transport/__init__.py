"""The transport of mail: mailboxes and files it comes from, servers it leaves by, passwords."""
