"""Write ``maps/standard.json`` from the map file that comes with the DATC cases.

Run from the root of the repository: ``python tools/build_standard_map.py``.  The source gives
neighbours by province; a map file gives each border once with its kind.  Italian names are ours.
``tools/standard_shapes.py`` builds the shapes.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

SOURCE = Path("tests/data/datc-standard-map.json")
TARGET = Path("maps/standard.json")
SHAPES = "standard.geojson"

ITALIAN = {  # name, other spellings, the letters that Italian players write for it
    "ADR": "Mare Adriatico|Adriatico", "AEG": "Mare Egeo|Egeo|EGE", "ALB": "Albania",
    "ANK": "Ankara", "APU": "Puglia|PUG", "ARM": "Armenia", "BAL": "Mar Baltico|Baltico",
    "BAR": "Mare di Barents", "BEL": "Belgio", "BER": "Berlino", "BLA": "Mar Nero|Nero|NER",
    "BOH": "Boemia|BOE", "BOT": "Golfo di Botnia|Botnia", "BRE": "Brest", "BUD": "Budapest",
    "BUL": "Bulgaria", "BUR": "Borgogna|BOR", "CLY": "Clyde", "CON": "Costantinopoli|COS",
    "DEN": "Danimarca|DAN", "EAS": "Mediterraneo orientale|MOR", "EDI": "Edimburgo",
    "ENG": "Canale della Manica|Manica|La Manica|MAN", "FIN": "Finlandia", "GAL": "Galizia",
    "GAS": "Guascogna|GUA", "GRE": "Grecia", "HEL": "Baia di Helgoland|BAI", "HOL": "Olanda|OLA",
    "ION": "Mar Ionio|Ionio", "IRI": "Mare d'Irlanda|IRL", "KIE": "Kiel", "LON": "Londra",
    "LVN": "Livonia", "LVP": "Liverpool", "LYO": "Golfo del Leone|Leone|LEO",
    "MAO": "Medio Atlantico|Atlantico centrale", "MAR": "Marsiglia", "MOS": "Mosca",
    "MUN": "Monaco|Monaco di Baviera|MON", "NAF": "Nord Africa|Africa settentrionale",
    "NAO": "Nord Atlantico|Atlantico settentrionale", "NAP": "Napoli", "NTH": "Mare del Nord",
    "NWG": "Mare di Norvegia|Mare norvegese", "NWY": "Norvegia", "PAR": "Parigi",
    "PIC": "Piccardia", "PIE": "Piemonte", "POR": "Portogallo", "PRU": "Prussia", "ROM": "Roma",
    "RUH": "Ruhr", "RUM": "Romania", "SER": "Serbia", "SEV": "Sebastopoli|SEB", "SIL": "Slesia|SLE",
    "SKA": "Skagerrak", "SMY": "Smirne|SMI", "SPA": "Spagna",
    "STP": "San Pietroburgo|Pietroburgo|SPI", "SWE": "Svezia|SVE", "SYR": "Siria|SIR",
    "TRI": "Trieste", "TUN": "Tunisi|Tunisia", "TUS": "Toscana|TOS", "TYR": "Tirolo",
    "TYS": "Mar Tirreno|Tirreno", "UKR": "Ucraina|UCR", "VEN": "Venezia", "VIE": "Vienna",
    "WAL": "Galles", "WAR": "Varsavia|VAR", "WES": "Mediterraneo occidentale|MOC", "YOR": "York",
}  # fmt: skip

POWERS = {  # Italian name, Italian adjective, colour
    "Austria": ("Austria", "austriaco", "#C8332B"),
    "England": ("Inghilterra", "inglese", "#28408F"),
    "France": ("Francia", "francese", "#2A3CF0"),
    "Germany": ("Germania", "tedesco", "#3B3B3B"),
    "Italy": ("Italia", "italiano", "#2E8B57"),
    "Russia": ("Russia", "russo", "#8E5BB5"),
    "Turkey": ("Turchia", "turco", "#E3B505"),
}

COASTS = {  # Italian name, other spellings
    "NC": ("costa nord", ["north", "nord", "N", "CN"]),
    "SC": ("costa sud", ["south", "sud", "S", "CS"]),
    "EC": ("costa est", ["east", "est", "E", "CE"]),
}

IMPASSABLE = [
    *("x-switzerland", "x-ireland", "x-iceland", "x-sardinia", "x-corsica", "x-crete"),
    *("x-cyprus", "x-arabia"),
]
"""The shapes that nobody enters, as ``tools/standard_map/lines.toml`` names them."""

DESCRIPTION = {
    "en": "The standard board of Diplomacy: seven powers, 1901.",
    "it": "La mappa classica di Diplomacy: sette potenze, 1901.",
}


def province(pid: str, source: dict[str, Any]) -> dict[str, Any]:
    """Return one entry of ``provinces``; keys at their default are left out."""
    italian, *others = ITALIAN[pid].split("|")
    entry: dict[str, Any] = {
        "id": pid,
        "name": {"en": source["name"], "it": italian},
        "aliases": source["aliases"] + [a for a in others if a not in source["aliases"]],
        "terrain": "sea" if source["type"] == "sea" else "land",
        "coastal": source["type"] == "coast",
    }
    if source["coasts"]:
        entry["coasts"] = source["coasts"]
    if source["supply_center"]:
        entry["centre"] = "fixed" if source["home"] else "neutral"
    return entry


def borders(source: dict[str, Any]) -> list[list[str]]:
    """Return every border once, its ends in alphabetical order; army and fleet make ``both``."""
    kinds: dict[tuple[str, str], set[str]] = {}
    for pid, entry in source.items():
        fleet = entry["fleet"]
        coasts = fleet.items() if isinstance(fleet, dict) else [("", fleet)]
        ways = [("army", pid, entry["army"])]
        ways += [("fleet", f"{pid}/{c}" if c else pid, to) for c, to in coasts]
        for kind, here, neighbours in ways:
            for there in neighbours:
                kinds.setdefault((min(here, there), max(here, there)), set()).add(kind)
    return [[a, b, k.pop() if len(k) == 1 else "both"] for (a, b), k in sorted(kinds.items())]


def power(source: dict[str, Any]) -> dict[str, Any]:
    """Return one entry of ``powers``."""
    italian, adjective, color = POWERS[source["name"]]
    return {
        "id": source["name"],
        "name": {"en": source["name"], "it": italian},
        "aliases": [source["letter"], source["adjective"], adjective],
        "color": color,
        "start_centres": source["home_centers"],
        "units": source["units"],
    }


def convert(source: dict[str, Any]) -> dict[str, Any]:
    """Return the data of the whole map file."""
    coasts = {
        code: {"name": {"en": name, "it": COASTS[code][0]}, "aliases": COASTS[code][1]}
        for code, name in source["coasts"].items()
    }
    return {
        "format": 1,
        "id": "standard",
        "name": {"en": "Diplomacy", "it": "Diplomacy"},
        "description": DESCRIPTION,
        "geometry": SHAPES,
        "coasts": coasts,
        "powers": [power(p) for p in source["powers"]],
        "provinces": [province(pid, p) for pid, p in source["provinces"].items()],
        "borders": borders(source["provinces"]),
        "impassable": IMPASSABLE,
        "rules": {
            "first_year": source["start"]["year"],
            "victory_centres": source["centers_to_win"],
            "sea_capacity": 1,
        },
    }


def text(value: dict[str, Any]) -> str:
    """Return the text of the map file, one province, border or power to a line."""

    def one(key: str, item: Any) -> str:
        if not isinstance(item, list):
            return f"{json.dumps(key)}: {json.dumps(item, ensure_ascii=False)}"
        lines = ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in item)
        return f"{json.dumps(key)}: [\n{lines}\n]"

    return "{\n" + ",\n".join(one(k, v) for k, v in value.items()) + "\n}\n"


if __name__ == "__main__":
    TARGET.write_text(text(convert(json.loads(SOURCE.read_text("utf-8")))), "utf-8")
