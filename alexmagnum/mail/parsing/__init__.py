"""Reading of mail, from bytes to what the writer says now. Pure: no file, no clock, no game.

:mod:`.message` reads a whole mail. :mod:`.commands` then takes commands and press out of its text;
what remains are orders for :mod:`alexmagnum.notation`.
"""
