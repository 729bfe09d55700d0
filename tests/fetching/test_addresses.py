"""Only public addresses are asked, in whatever form another one is written."""

import asyncio

import pytest

from backlink_audit.fetching.addresses import Refused, host_and_port, is_public, public_addresses

PRIVATE = [
    *("127.0.0.1", "127.255.255.254", "0.0.0.0", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254"),
    *("100.64.0.1", "192.0.2.1", "198.18.0.1", "203.0.113.9", "224.0.0.1", "240.0.0.1", "255.255.255.255"),
    *("::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12::1", "fec0::1", "ff02::1", "2001:db8::1"),
    *("::ffff:127.0.0.1", "::ffff:169.254.169.254", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::1"),
    *("2002:7f00:1::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2", "100::1", "4000::1"),
]


METADATA = ["169.254.169.254", "192.0.0.192", "168.63.129.16", "100.100.100.200", "fd00:ec2::254", "fd20:ce::254"]


@pytest.mark.parametrize("address", [*PRIVATE, *METADATA, *(f"::ffff:{one}" for one in METADATA[:4]), "::8.8.8.8"])
def test_an_address_that_is_not_public_is_none(address):
    assert not is_public(address)


@pytest.mark.parametrize("address", ["93.184.215.14", "8.8.8.8", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"])
def test_a_public_address_is_one(address):
    assert is_public(address)


def test_a_public_address_of_the_older_internet_in_the_words_of_the_newer_is_one():
    assert is_public("::ffff:8.8.8.8")
    assert is_public("64:ff9b::8.8.8.8")


@pytest.mark.parametrize(
    "url",
    [
        *("http://127.0.0.1/", "http://2130706433/", "http://0177.0.0.1/", "http://0x7f.0.0.1/", "http://127.1/"),
        *("http://0x7f000001/", "http://017700000001/", "http://134744072/", "http://1.2.3.4.5/"),
        *("http://[::1]/", "http://[::ffff:127.0.0.1]/", "http://[fe80::1%25eth0]/", "http://127.0.0.1./"),
        *(
            "http://localhost/",
            "http://a.localhost/",
            "http://router.local/",
            "http://db.internal/",
            "http://intranet/",
        ),
        *(
            "http://169.254.169.254/latest/meta-data/",
            "http://１２７.0.0.1/",
            "http://user@shop.com/",
            "http://a:b@c.com/",
        ),
        *("file:///etc/passwd", "ftp://shop.com/", "gopher://shop.com/", "http://", "//shop.com/", "http://[1:2/"),
        *("http://shop.com:22/", "http://shop.com:25/", "http://shop.com:99999/", "http://shop.com:abc/"),
    ],
)
def test_an_odd_address_is_refused_before_anything_is_looked_up(url):
    with pytest.raises(Refused):
        host_and_port(url)


@pytest.mark.parametrize("found", [["127.0.0.1"], ["8.8.8.8", "10.0.0.1"], ["::ffff:10.0.0.1"], []])
def test_a_name_is_refused_if_any_of_its_addresses_is_not_public(found):
    async def resolve(host: str, port: int) -> list[str]:
        return found

    with pytest.raises(Refused, match="not a public address"):
        asyncio.run(public_addresses("shop.example", 80, resolve))


def test_the_forms_that_the_system_takes_for_this_machine_are_refused_also_where_it_looks_them_up():
    with pytest.raises(Refused):
        asyncio.run(public_addresses("2130706433", 80))
    with pytest.raises(Refused):
        asyncio.run(public_addresses("localhost", 80))
