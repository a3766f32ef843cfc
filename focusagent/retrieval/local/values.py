"""Numbers and dates by their value, however they are written: "$1,299", "1.299,00 €" and "1299" are one word."""

from __future__ import annotations

import re

_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_MONTH = r"(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
_DATE = re.compile(
    rf"\b(\d{{4}})-(\d\d?)-(\d\d?)\b|\b(\d\d?)[/.](\d\d?)[/.](\d{{4}})\b"
    rf"|\b(\d\d?)(?:st|nd|rd|th)?\.? {_MONTH}\.?,? (\d{{4}})\b|\b{_MONTH}\.? (\d\d?)(?:st|nd|rd|th)?,? (\d{{4}})\b"
)
_NUMBER = re.compile(
    r"(?<![\w.,])\d{1,3}(?:[.,' \u00a0\u202f]\d{3})+(?:[.,]\d{1,2})?(?![\w]|[.,]\d)"
    r"|(?<![\w.,])\d+[.,]\d{1,2}(?![\w]|[.,]\d)"
)


def with_values(text: str) -> str:
    """The text, case folded, with each date as one word of day, month and year, and each number without separators and
    without a fraction of noughts. Of 03/04/2027 the order is not known: the smaller part comes first."""
    if not any(char.isdigit() for char in text):
        return text
    return _NUMBER.sub(_number, _DATE.sub(_date, text))


def _date(match: re.Match[str]) -> str:
    groups = match.groups()
    if groups[0]:
        year, month, day = groups[0], int(groups[1]), int(groups[2])
    elif groups[3]:
        year, month, day = groups[5], int(groups[4]), int(groups[3])
    elif groups[6]:
        year, month, day = groups[8], _MONTHS.index(groups[7]) + 1, int(groups[6])
    else:
        year, month, day = groups[11], _MONTHS.index(groups[9]) + 1, int(groups[10])
    low, high = sorted((month, day))
    return f" date{year}x{low}x{high} "


def _number(match: re.Match[str]) -> str:
    """A separator is of thousands where three digits follow, else of the fraction."""
    written = match[0]
    fraction = ""
    if len(written) > 2 and written[-2] in ".,":
        written, fraction = written[:-2], written[-1]
    elif len(written) > 3 and written[-3] in ".,":
        written, fraction = written[:-3], written[-2:]
    whole = "".join(char for char in written if char.isdigit())
    fraction = fraction.rstrip("0")
    return f"{whole}point{fraction}" if fraction else whole
