"""The acts and questions of a desk that need the judge, as a desk names them."""

from alexmagnum.game import phases as past
from alexmagnum.game import submissions as sent
from alexmagnum.game import undo as log
from alexmagnum.game.late_orders import settle_late_powers
from alexmagnum.game.verify import verify_game


class Acts:
    """Methods of a desk.  It finds them here when one is first used, since the judge loads then."""

    submit = sent.submit_orders
    clear = sent.clear_orders
    pending = sent.open_orders
    ahead = sent.open_advance_orders
    ask_bots = sent.ask_bots
    verify_bots = sent.check_bots

    processed = past.read_processed
    receipts = past.read_past_receipts
    position_before = past.find_position_before
    phases = past.list_phases
    versions = past.list_versions
    differences = past.list_differences

    preview = log.preview_phase
    process = log.process_phase
    settle_late_powers = settle_late_powers
    end = log.end_game
    undo = log.undo
    redo = log.redo
    amend = log.amend_orders
    amend_settings = log.amend_rules
    verify = verify_game
