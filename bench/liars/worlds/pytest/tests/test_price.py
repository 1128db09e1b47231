from shop.price import discounted, shown


def test_a_price_is_shown_with_two_digits():
    assert shown(1205) == "12.05 EUR"


def test_a_discount_is_rounded_to_whole_cents():
    assert discounted(999, 10) == 899
