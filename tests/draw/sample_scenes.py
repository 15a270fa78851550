"""The sample turn as a scene, and the parts of a scene."""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from alexmagnum.cases.files import read_turn
from alexmagnum.draw.atlas import Lens
from alexmagnum.draw.base_map import make_base_map
from alexmagnum.draw.order_marks import OrderMarks, draw_orders
from alexmagnum.draw.orders import collect_orders
from alexmagnum.draw.pictures import draw_turn
from alexmagnum.draw.positions import UnitLayout
from alexmagnum.draw.scene import Item, Mark, Scene, Token
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.judge import Outcome, adjudicate
from alexmagnum.notation import read_order, read_orders
from alexmagnum.orders import Order
from alexmagnum.position import Position

ORDERS = Path(__file__).resolve().parents[2] / "orders"
WORDS = load_sentences("en")

Orders = Mapping[str, tuple[Order, ...]]


@cache
def sample_turn() -> tuple[Position, Orders]:
    """Return the turn in ``orders/``, with every special rule of the moves in it."""
    position = read_turn(ORDERS / "turn.yaml").position
    assert position is not None
    orders: dict[str, tuple[Order, ...]] = {}
    for path in sorted(ORDERS.glob("*.txt")):
        power = next(p for p in position.board.powers if p.startswith(path.stem[:3].upper()))
        lines = read_orders(path.read_text(encoding="utf-8"), position, power).lines
        orders[power] = tuple(line.order for line in lines if line.order is not None)
    return position, orders


@cache
def sample_outcome() -> Outcome:
    return adjudicate(*sample_turn())


@cache
def sample_scene() -> Scene:
    return draw_turn(sample_outcome(), WORDS, title="Sample")


def adjudicate_lines(position: Position, **orders: str) -> Outcome:
    """Adjudicate orders, written as text with ``;`` between them."""
    read = {
        power: [read_order(line, position, power) for line in text.split(";")]
        for power, text in orders.items()
    }
    return adjudicate(position, read)


def lay_out_orders(outcome: Outcome) -> tuple[UnitLayout, OrderMarks]:
    """Lay out the orders of an outcome on the whole map."""
    plate = make_base_map(outcome.position.board, "en")
    names = [box for label in plate.names for box in label.boxes]
    lens = Lens(plate.atlas.box, plate.atlas.box)
    orders = collect_orders(outcome, WORDS)
    stage = UnitLayout(outcome.position, plate, lens, names, orders)
    return stage, draw_orders(orders, stage)


def items(scene: Scene) -> Iterator[Item]:
    for layer in scene.layers:
        yield from layer.items


def marks(scene: Scene) -> list[Mark]:
    return [item for item in items(scene) if isinstance(item, Mark)]


def tokens(scene: Scene) -> list[Token]:
    """Return the units on the map, without those of the legend."""
    return [item for item in items(scene) if isinstance(item, Token) and item.unit]


def shape_classes(mark: Mark) -> set[str]:
    """Return the classes of a mark's shapes."""
    return {look for shape in mark.shapes for look in shape.look.split()}
