from shop.cart import add, count


def test_a_thing_is_put_into_the_cart():
    assert add([], "pen", 120) == [{"name": "pen", "price": 120, "quantity": 1}]


def test_things_are_counted_not_lines():
    cart = add(add([], "pen", 120, 2), "ink", 450)
    assert len(cart) == 2
    assert count(cart) == 3
