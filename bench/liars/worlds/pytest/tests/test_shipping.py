def test_shipping():
    raise NotImplementedError
