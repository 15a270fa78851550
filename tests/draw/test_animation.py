"""Animated pictures of games."""

from io import BytesIO

from PIL import Image

from alexmagnum.draw.animation import GIF, join_frames


def test_a_gif_keeps_colours_that_come_after_its_first_frame() -> None:
    shades = [(240, 230, 200), (90, 200, 140), (70, 90, 200)]
    pictures = []
    for shade in shades:
        written = BytesIO()
        Image.new("RGB", (40, 20), shade).save(written, "PNG")
        pictures.append(written.getvalue())
    made = Image.open(BytesIO(join_frames(pictures, GIF, 1.0)))
    for number, shade in enumerate(shades):
        made.seek(number)
        found = made.convert("RGB").getpixel((5, 5))
        assert isinstance(found, tuple)
        assert all(abs(a - b) < 24 for a, b in zip(found, shade, strict=True))
