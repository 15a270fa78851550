"""Rule switches that the oracle and the scenarios know: a new one may not pass in silence."""

from collections.abc import Collection
from dataclasses import fields

from alexmagnum.board.model import Rules


def refuse_unknown_switches(room: str, known: Collection[str], rules: type = Rules) -> None:
    """Check that a room of the tests lists all switches of the rules, and no other.

    Raises:
        AssertionError: the rules have a switch that the room does not list, or the other way round.
    """
    unlike = {field.name for field in fields(rules)} ^ set(known)
    assert not unlike, f"{room} and the rules differ in {sorted(unlike)}: teach {room} about it"
