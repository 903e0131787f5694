"""The facts of the board: forty spaces, twenty-eight of them for sale, and two decks of sixteen cards.

Prices, rents and costs of houses are the published ones; names of streets and words of cards are our own.

>>> NAMES[24], int(PRICE[PROPERTY_AT[24]]), RENT[PROPERTY_AT[24]].tolist()
('Ash Avenue', 240, [20, 100, 300, 750, 925, 1100])
>>> sum(kind == MOVE_TO for kind, *_ in FORTUNE_CARDS), len(TOWN_CARDS)
(5, 16)
"""

import numpy as np

NAMES = (
    "Start", "Willow Lane", "Town Card", "Alder Lane", "Income Tax", "South Station", "Birch Road", "Fortune Card",
    "Hazel Road", "Rowan Road", "Jail", "Maple Street", "Power Plant", "Poplar Street", "Linden Street", "West Station",
    "Cherry Row", "Town Card", "Walnut Row", "Chestnut Row", "Rest", "Oak Avenue", "Fortune Card", "Elm Avenue", "Ash Avenue",
    "North Station", "Cedar Hill", "Larch Hill", "Reservoir", "Pine Hill", "To Jail", "Spruce Square", "Fir Square",
    "Town Card", "Yew Square", "East Station", "Fortune Card", "Cypress Park", "Wealth Tax", "Sequoia Park",
)  # fmt: skip
START, JAIL, REST, TO_JAIL = 0, 10, 20, 30
GROUPS = ("purple", "teal", "rose", "orange", "red", "yellow", "green", "blue", "stations", "utilities")
STATIONS, UTILITIES = 8, 9
STREETS = {  # space: price and rents: bare, with one to four houses, with a hotel
    1: (60, 2, 10, 30, 90, 160, 250), 3: (60, 4, 20, 60, 180, 320, 450),
    6: (100, 6, 30, 90, 270, 400, 550), 8: (100, 6, 30, 90, 270, 400, 550), 9: (120, 8, 40, 100, 300, 450, 600),
    11: (140, 10, 50, 150, 450, 625, 750), 13: (140, 10, 50, 150, 450, 625, 750), 14: (160, 12, 60, 180, 500, 700, 900),
    16: (180, 14, 70, 200, 550, 750, 950), 18: (180, 14, 70, 200, 550, 750, 950), 19: (200, 16, 80, 220, 600, 800, 1000),
    21: (220, 18, 90, 250, 700, 875, 1050), 23: (220, 18, 90, 250, 700, 875, 1050), 24: (240, 20, 100, 300, 750, 925, 1100),
    26: (260, 22, 110, 330, 800, 975, 1150), 27: (260, 22, 110, 330, 800, 975, 1150), 29: (280, 24, 120, 360, 850, 1025, 1200),
    31: (300, 26, 130, 390, 900, 1100, 1275), 32: (300, 26, 130, 390, 900, 1100, 1275), 34: (320, 28, 150, 450, 1000, 1200, 1400),
    37: (350, 35, 175, 500, 1100, 1300, 1500), 39: (400, 50, 200, 600, 1400, 1700, 2000),
}  # fmt: skip
IN_GROUP = (
    (1, 3),
    (6, 8, 9),
    (11, 13, 14),
    (16, 18, 19),
    (21, 23, 24),
    (26, 27, 29),
    (31, 32, 34),
    (37, 39),
    (5, 15, 25, 35),
    (12, 28),
)
FORTUNES, TOWNS = (7, 22, 36), (2, 17, 33)
TAXED = {4: 200, 38: 100}
SALARY, BAIL, MOST_HOUSES, MOST_HOTELS, HOTEL, MORTGAGED = 200, 50, 32, 12, 5, -1

# What a card does, and the numbers to it.
MOVE_TO, BACK, NEAREST_STATION, NEAREST_UTILITY, GO_TO_JAIL, OUT_OF_JAIL, MONEY, REPAIRS, FROM_EACH = range(9)
FORTUNE_CARDS = (
    (MOVE_TO, START, 0, "Go to the start"),
    (MOVE_TO, 24, 0, "A walk under the ash trees: go to Ash Avenue"),
    (MOVE_TO, 11, 0, "The maples are turning: go to Maple Street"),
    (MOVE_TO, 5, 0, "Catch a train: go to South Station"),
    (MOVE_TO, 39, 0, "See the giants: go to Sequoia Park"),
    (NEAREST_STATION, 0, 0, "Hurry to the next station; its owner gets twice the fare"),
    (NEAREST_STATION, 0, 0, "Your train leaves early: on to the next station, at twice the fare"),
    (NEAREST_UTILITY, 0, 0, "A pipe bursts: on to the next utility; throw the dice and pay its owner ten times the throw"),
    (BACK, 3, 0, "You forgot something: three spaces back"),
    (GO_TO_JAIL, 0, 0, "A judge wants a word with you: to jail"),
    (OUT_OF_JAIL, 0, 0, "A friend at court: keep this to leave jail free"),
    (MONEY, 50, 0, "Your shares pay 50"),
    (MONEY, 150, 0, "A loan you gave comes back: 150"),
    (MONEY, -15, 0, "Caught speeding: pay 15"),
    (REPAIRS, 25, 100, "The storm took the roofs: pay 25 a house and 100 a hotel"),
    (FROM_EACH, -50, 0, "You are elected and it is your round: pay everybody 50"),
)
TOWN_CARDS = (
    (MOVE_TO, START, 0, "Go to the start"),
    (GO_TO_JAIL, 0, 0, "Your permit was forged: to jail"),
    (OUT_OF_JAIL, 0, 0, "The mayor owes you one: keep this to leave jail free"),
    (MONEY, 200, 0, "The bank counted wrong: take 200"),
    (MONEY, 100, 0, "A policy is paid out: 100"),
    (MONEY, 100, 0, "An aunt remembered you: 100"),
    (MONEY, 100, 0, "Your savings for the holidays: 100"),
    (MONEY, 50, 0, "Your old stock found a buyer: 50"),
    (MONEY, 25, 0, "A fee for good advice: 25"),
    (MONEY, 20, 0, "Tax comes back: 20"),
    (MONEY, 10, 0, "Second prize for your garden: 10"),
    (MONEY, -50, 0, "The doctor sends a bill: pay 50"),
    (MONEY, -50, 0, "A term at school: pay 50"),
    (MONEY, -100, 0, "A week in hospital: pay 100"),
    (REPAIRS, 40, 115, "The street is paved anew: pay 40 a house and 115 a hotel"),
    (FROM_EACH, 10, 0, "It is your birthday: everybody gives you 10"),
)
CARDS = FORTUNE_CARDS + TOWN_CARDS
CARD_KIND, CARD_NUMBER, CARD_SECOND = (np.array([card[part] for card in CARDS], np.int64) for part in range(3))
OUT_CARD = tuple(next(at for at, card in enumerate(deck) if card[0] == OUT_OF_JAIL) for deck in (FORTUNE_CARDS, TOWN_CARDS))

# Everything for sale, numbered in the order of the board.
SPACE_OF = np.array(sorted(space for group in IN_GROUP for space in group), np.int64)
PROPERTIES = len(SPACE_OF)
PROPERTY_AT = np.full(40, -1, np.int64)
PROPERTY_AT[SPACE_OF] = np.arange(PROPERTIES)
GROUP = np.array([next(at for at, group in enumerate(IN_GROUP) if space in group) for space in SPACE_OF], np.int64)
GROUP_SIZE = np.array([len(group) for group in IN_GROUP], np.int64)
MEMBERS = np.array([[*(PROPERTY_AT[space] for space in group), -1, -1][:4] for group in IN_GROUP], np.int64)
GROUP_MASK = np.array([sum(1 << int(PROPERTY_AT[space]) for space in group) for group in IN_GROUP], np.uint64)  # a bit a property
PRICE = np.array(
    [STREETS[space][0] if space in STREETS else 200 if space in IN_GROUP[STATIONS] else 150 for space in SPACE_OF], np.int64
)
RENT = np.array([STREETS.get(space, (0,) * 7)[1:] for space in SPACE_OF.tolist()], np.int64)
HOUSE = np.array([(50, 50, 100, 100, 150, 150, 200, 200, 0, 0)[group] for group in GROUP], np.int64)
MEMBERS[UTILITIES, 2:] = -1
PLAIN, FOR_SALE, FORTUNE, TOWN, TAX, JAILER = range(6)
SPACE_KIND = np.array([FOR_SALE if PROPERTY_AT[space] >= 0 else FORTUNE if space in FORTUNES else TOWN if space in TOWNS
                       else TAX if space in TAXED else JAILER if space == TO_JAIL else PLAIN
                       for space in range(40)], np.int64)  # fmt: skip
TAXES = np.array([TAXED.get(space, 0) for space in range(40)], np.int64)
