"""Prices in cents."""

CURRENCY = {"name": "EUR"}


def shown(cents):
    return f"{cents / 100:.2f} {CURRENCY['name']}"


def discounted(cents, percent):
    return (cents * (100 - percent) + 50) // 100
