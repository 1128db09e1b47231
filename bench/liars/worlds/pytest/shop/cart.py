"""What somebody wants to buy: lines of a name, a price in cents and a quantity."""


def add(cart, name, price, quantity=1):
    return [*cart, {"name": name, "price": price, "quantity": quantity}]


def count(cart):
    return sum(line["quantity"] for line in cart)
