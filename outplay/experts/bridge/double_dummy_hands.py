"""What four open hands tell without a search: who beats what, tricks that are sure, and which card looks good.

Cards are words as in `double_dummy_kernel`, which searches with these, as `double_dummy_endings` does on a GPU. Every count comes
with the cards whose ranks it rests on.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from outplay.jit import always_inlined, highest, i64, inlined, popcount, table

SUIT = 0x1FFF
NONE = -1


def _lowest_of_top() -> np.ndarray:
    """The card with `k` cards of these at or above it, as a bit: `table[(cards << 4) | k]`."""
    found = np.zeros(8192 * 16, np.int16)
    for cards in range(8192):
        rest, k = cards, 0
        while rest:
            bit = 1 << (rest.bit_length() - 1)
            k += 1
            found[(cards << 4) | k] = bit
            rest ^= bit
    return found


LOWEST_OF_TOP = table("lowest of top", _lowest_of_top, dtype=np.int16, shape=8192 * 16)

@inlined
def can_beat(cards, lead, trump, best) -> Any:
    """Whether a hand could win over the best card so far, following suit."""
    suited = (cards >> (16 * lead)) & SUIT
    if suited:
        return (best >> 4) == lead and (suited >> ((best & 15) + 1)) != 0
    if trump == NONE:
        return False
    trumps = (cards >> (16 * trump)) & SUIT
    if (best >> 4) == trump:
        return (trumps >> ((best & 15) + 1)) != 0
    return trumps != 0


@inlined
def beats(card, best, trump) -> Any:
    """Whether a card wins over the best one so far."""
    if (card >> 4) == (best >> 4):
        return card > best
    return (card >> 4) == trump



@inlined
def above(cards, floor) -> Any:
    """The cards of a suit over a rank."""
    return cards >> (floor + 1) << (floor + 1)


@inlined
def best_of(cards, count) -> Any:
    """The highest so many cards of a suit."""
    if count <= 0:
        return i64(0)
    if count >= popcount(cards):
        return cards
    return cards & -i64(LOWEST_OF_TOP[(cards << 4) | count])


@always_inlined
def quick_tricks(mine, partner, left, right, trump, tricks, want) -> Any:
    """Tricks that the side on lead can cash at once, and the cards whose ranks that needs; looks no further than `want`.

    The leader cashes the cards above everybody else's, trumps first, and what is high once nobody else has any. Then, where a suit
    leads over to partner, partner cashes likewise. A side suit's winner counts only while every opponent who still has trumps must
    follow; and nobody of the side may be left with nothing but trumps to throw on a partner's winner. Partner's ruff is a trick
    more where opponents with trumps must follow to it, and leads over, too. Where no hand has trumps, one suit may be played last
    and by both: all its rounds are won if their high cards cover as many as an opponent has cards.
    """
    ranks, later_ranks = i64(0), i64(0)
    total, later, later_side = i64(0), i64(0), i64(0)
    own_each, later_each = i64(0), i64(0)  # by suit, four bits each
    is_entry, is_ruff = False, False
    ruff_left, ruff_right = False, False
    room, has_spare = i64(13), False
    last_trump = i64(0)
    for turn in range(4):
        # Trumps come first.
        suit = turn
        if trump != NONE:
            if turn == 0:
                suit = trump
            elif turn <= trump:
                suit = turn - 1
        shift = 16 * suit
        m, p = (mine >> shift) & SUIT, (partner >> shift) & SUIT
        lc, rc = (left >> shift) & SUIT, (right >> shift) & SUIT
        if (m | p) == 0:
            if suit == trump:
                ruff_left, ruff_right = lc != 0, rc != 0
            continue
        most = i64(13)
        if ruff_left:
            most = popcount(lc)
        if ruff_right:
            most = min(most, popcount(rc))
        floor = highest(lc | rc)
        longest = max(popcount(lc), popcount(rc))
        own = above(m, max(floor, highest(p)))
        rounds = popcount(own)
        rest = m ^ own
        if rounds >= longest and rounds >= popcount(p):
            rounds = popcount(m)
            rest = i64(0)
            if longest == 0 and p == 0:
                own = i64(0)
        planned = rounds
        if suit == trump:
            ruff_left, ruff_right = popcount(lc) > rounds, popcount(rc) > rounds
            has_spare = popcount(p) > rounds
            if has_spare:
                room = popcount(partner & ~(i64(SUIT) << shift))
        else:
            rounds = min(rounds, min(most, room))
            room -= rounds if has_spare else 0
            # Opponents who could ruff follow to all that is cashed, and so to this, too.
            if has_spare and popcount(p) <= rounds < min(popcount(m), most):
                is_ruff = True
        if rounds > 0:
            # Of more winners than are wanted, the highest do; and once nobody else has the suit, any card wins.
            ranks |= best_of(own, min(min(rounds, want - total), max(longest, popcount(p)))) << shift
            total += rounds
            own_each |= rounds << (4 * suit)
            if total >= want:
                return min(total, tricks), ranks
        if p != 0 and rounds == planned and rounds < most:
            held = above(p, max(floor, highest(rest)))
            keeps = min(popcount(held), popcount(p) - rounds)
            if rounds + keeps >= longest and popcount(m) <= rounds + keeps:
                keeps = popcount(p) - rounds
                if longest == 0 and m == 0:
                    held = i64(0)
            keeps = min(keeps, most - rounds)
            if keeps > 0:
                later += keeps
                later_each |= keeps << (4 * suit)
                later_side += keeps if suit != trump else 0
                if suit == trump and keeps == popcount(p) - rounds:
                    last_trump = i64(1)
                later_ranks |= best_of(held, rounds + keeps) << shift
                # The suit leads over to partner where the leader has a card left that partner's highest beats.
                if rest != 0 and highest(p) > highest(rest):
                    is_entry = True
    if is_ruff:
        if total + 1 >= want:
            return min(total + 1, tricks), ranks
        whole = i64(SUIT) << (16 * trump)
        crossed = total + 1 + later - last_trump
        if crossed >= want and later_side <= room and (popcount(mine & ~whole) - total - 1 >= later or (mine & whole) == 0):
            return min(crossed, tricks), ranks | later_ranks
    if is_entry:
        fine = True
        if trump != NONE:
            whole = i64(SUIT) << (16 * trump)
            if has_spare and later_side > room:
                fine = False
            if popcount(mine & ~whole) - total < later:  # the leader could be left with trumps to ruff a winner
                fine = (mine & whole) == 0
        if fine and total + later >= want:
            return min(total + later, tricks), ranks | later_ranks
    # Without trumps: all winners of the leader but those of one suit, and then that suit with the winners of both hands.
    if trump == NONE or (((mine | partner | left | right) >> (16 * trump)) & SUIT) == 0:
        for suit in range(4):
            shift = 16 * suit
            m, p = (mine >> shift) & SUIT, (partner >> shift) & SUIT
            if m == 0 or p == 0:
                continue
            lc, rc = (left >> shift) & SUIT, (right >> shift) & SUIT
            count_m, count_p = popcount(m), popcount(p)
            rounds = max(count_m, count_p)
            more = rounds - ((own_each >> (4 * suit)) & 15)
            if count_p > count_m:  # it ends with partner, who has winners elsewhere
                more += later - ((later_each >> (4 * suit)) & 15)
            if total + more < want or total + more > tricks:
                continue
            longest = max(popcount(lc), popcount(rc))
            winners = above(m | p, highest(lc | rc))
            if longest > rounds or popcount(winners) < longest:
                continue
            head = i64(0)
            if count_m != count_p:
                # The shorter hand must not win with its last card: the longer one's highest takes that round.
                one, other = (m, p) if count_m > count_p else (p, m)
                head = i64(1) << highest(one)
                if head < (other & -other):
                    continue
                if popcount(other) > longest:
                    if popcount(winners & ~head) < longest:
                        continue
                elif (head & winners) == 0 or ((other & ~winners) == 0 and popcount(winners) <= longest):
                    continue
            ranks |= (best_of(winners, longest + 1) | head) << shift
            if count_p > count_m:
                ranks |= later_ranks
            return min(total + more, tricks), ranks
    return min(total, tricks), ranks


@inlined
def sure_trumps(one, other, theirs, trump, want) -> Any:
    """Whether a side's trumps win `want` tricks sooner or later (else 0), and the lowest rank that this needs.

    The trumps of one hand fall in as many tricks, and its side wins each of these unless a higher trump of theirs falls, too; and
    each of these beats only one.
    """
    shift = 16 * trump
    against = (theirs >> shift) & SUIT
    for side in range(2):
        own = ((one if side == 0 else other) >> shift) & SUIT
        if popcount(own) < want:
            continue
        if against == 0:
            return want, i64(0)
        higher, sure = i64(0), i64(0)
        both = own | against
        while both:
            top = i64(1) << highest(both)
            both ^= top
            if against & top:
                higher += 1
            elif higher > 0:
                higher -= 1
            else:
                sure += 1
                if sure == want:
                    return want, top << shift
    return i64(0), i64(0)


@inlined
def guarded_trump(own, before, after, trump) -> Any:
    """The trump (else 0) that takes a trick without the lead: all that beat it play before it, fewer than this hand has trumps.

    Whenever one of those beats it, a lower trump is thrown; whenever none does, it wins. A side that gets the lead has won a trick.
    """
    shift = 16 * trump
    trumps = (own >> shift) & SUIT
    top = highest(trumps)
    if top > highest((after >> shift) & SUIT) and popcount(above((before >> shift) & SUIT, top)) < popcount(trumps):
        return i64(1) << (shift + top)
    return i64(0)


@inlined
def crossing(left, right, is_left, is_right, cash_left, cash_right, high_left, high_right, heads, want) -> Any:
    """The same where whoever of the waiting side gets in must cash, lead over to the other's winner, and the other cashes on."""
    if popcount(cash_left) + popcount(cash_right) < want:
        return i64(0), i64(0)
    ranks = heads | high_left | high_right
    for side in range(2):
        if not (is_left if side == 0 else is_right):
            continue
        one, mine, high = (left, cash_left, high_right) if side == 0 else (right, cash_right, high_left)
        if popcount(mine) >= want:
            continue
        is_linked = False
        for suit in range(4):
            if (one >> (16 * suit)) & SUIT and (high >> (16 * suit)) & SUIT:
                is_linked = True
        if not is_linked:
            return i64(0), i64(0)
    return want, ranks


@always_inlined
def waiting_tricks(mine, partner, left, right, tricks, want) -> Any:
    """Whether the side that waits takes `want` tricks (else 0) where the side on lead has no trumps, and the cards that this needs.

    The leaders can run no more tricks than the suits that they head have rounds. Then they lead a suit headed by the others, whose
    winner of that trick cashes what no card of any other hand can beat, and the rest of a suit that nobody else has any more; it
    has kept them, for it had other cards to throw.
    """
    run = i64(0)
    is_left, is_right = False, False
    cash_left, cash_right, high_left, high_right, heads = i64(0), i64(0), i64(0), i64(0), i64(0)
    for suit in range(4):
        shift = 16 * suit
        m, p = (mine >> shift) & SUIT, (partner >> shift) & SUIT
        lc, rc = (left >> shift) & SUIT, (right >> shift) & SUIT
        top, lh, rh = highest(m | p), highest(lc), highest(rc)
        if max(lh, rh) > top:
            high = above(lc, max(top, rh))
            longest = max(max(popcount(m), popcount(p)), popcount(rc))
            high_left |= best_of(high, longest) << shift
            cash_left |= (lc if popcount(high) >= longest else high) << shift
            high = above(rc, max(top, lh))
            longest = max(max(popcount(m), popcount(p)), popcount(lc))
            high_right |= best_of(high, longest) << shift
            cash_right |= (rc if popcount(high) >= longest else high) << shift
            if (m | p) != 0:
                heads |= i64(1) << (shift + max(lh, rh))
                if lh > rh:
                    is_left = True
                else:
                    is_right = True
        elif (m | p) != 0:
            run += max(popcount(m), popcount(p))
    if tricks - run < want or not (is_left or is_right):
        return i64(0), i64(0)
    if (is_left and popcount(cash_left) < want) or (is_right and popcount(cash_right) < want):
        return crossing(left, right, is_left, is_right, cash_left, cash_right, high_left, high_right, heads, want)
    ranks = heads
    for side in range(2):
        if not (is_left if side == 0 else is_right):
            continue
        cash, high = (cash_left, high_left) if side == 0 else (cash_right, high_right)
        counted = popcount(cash & heads)
        cash &= ~heads
        for suit in range(4):
            if counted < want:
                cards = best_of((cash >> (16 * suit)) & SUIT, want - counted)
                counted += popcount(cards)
                ranks |= (cards << (16 * suit)) & high
    return want, ranks


@always_inlined
def takes_over(mine, partner, left, right, led, trump, tricks, want) -> Any:
    """Whether second hand's side surely wins this trick and cashes enough for `want` after it; `left` is third hand, `right` led.

    The trick goes to its highest card of the suit, or to a ruff, where third hand can do nothing about it. What is cashed after it
    is counted in the other suits, and only where no trump can come to it unforeseen.
    """
    suit = led >> 4
    shift = 16 * suit
    lane = i64(SUIT) << shift
    m, p, lc = (mine >> shift) & SUIT, (partner >> shift) & SUIT, (left >> shift) & SUIT
    trumps = i64(0) if trump == NONE else i64(SUIT) << (16 * trump)
    if lc == 0 and suit != trump and left & trumps:
        return False, i64(0)
    ranks = i64(0)
    is_mine = True
    spent = i64(0)
    if suit != trump and m == 0 and mine & trumps:
        spent = mine & trumps
    elif suit != trump and p == 0 and partner & trumps:
        spent = partner & trumps
        is_mine = False
    else:
        top = highest(m | p)
        if top <= max(led & 15, highest(lc)):
            return False, i64(0)
        is_mine = ((m >> top) & 1) != 0
        ranks = i64(1) << (shift + top)
    if want <= 1:
        return True, ranks
    if suit == trump:
        return False, i64(0)
    one, other = (mine, partner) if is_mine else (partner, mine)
    if other & lane == 0 and other & trumps:
        return False, i64(0)
    one ^= spent & -spent
    after, before = (left, right) if is_mine else (right, left)
    quick, more = quick_tricks(one & ~lane, other & ~lane, after & ~lane, before & ~lane, trump, tricks - 1, want - 1)
    return quick >= want - 1, ranks | more


# How good a card looks, before anything is known of it. The numbers were found by changing one after the other and keeping what
# left fewer nodes over 54 strains of 40 random deals; only their order means anything.
KNOWN = 400
LEAD_WINNER, LEAD_TO_PARTNER = (172, 72, 160), (220, 172, 240)  # no trumps, trumps, side suits
INTO_RIGHT, INTO_LEFT = (108, 52, 60), (76, 8, 0)  # a suit headed by the hand that plays last, or next
SECOND_IS_OURS, SECOND_IS_PARTNERS = 20, 40
THEY_RUFF, PARTNER_RUFFS, NOBODY_FOLLOWS, TOP_OF_SEQUENCE = -276, 100, -356, -20
WINS, WINS_OVER_PARTNER, WINS_FOR_NOW, PARTNER_COULD, RUFF_LOW, THROWS_WINNER = (316, 596, 460), -80, 68, 160, -240, -120


@inlined
def lead_weight(suit, rank, mine, partner, left, right, trump, length) -> Any:
    """How good a lead looks: suits in which partner wins, then winners, then long suits towards a weak hand."""
    shift = 16 * suit
    m, p, lc, rc = (mine >> shift) & SUIT, (partner >> shift) & SUIT, (left >> shift) & SUIT, (right >> shift) & SUIT
    floor = highest(lc | rc)
    weight = i64(0)
    kind = 0 if trump == NONE else (1 if suit == trump else 2)
    if kind == 2:
        if (lc == 0 and (left >> (16 * trump)) & SUIT) or (rc == 0 and (right >> (16 * trump)) & SUIT):
            weight += THEY_RUFF
        if p == 0 and (partner >> (16 * trump)) & SUIT:
            weight += PARTNER_RUFFS
    if floor < 0:
        weight += NOBODY_FOLLOWS
    if rank > floor:
        return weight + LEAD_WINNER[kind] - (rank if highest(p) < rank else 0)
    if highest(p) > floor:
        return weight + LEAD_TO_PARTNER[kind] - 4 * rank - 5 * popcount(p)
    second = highest((lc | rc) ^ (i64(1) << floor))
    if highest(m | p) > second:
        weight += SECOND_IS_OURS
    if highest(rc) > highest(lc):
        weight += INTO_RIGHT[kind]
    else:
        weight += INTO_LEFT[kind] + (SECOND_IS_PARTNERS if highest(p) > second else 0)
    if rank == highest(m) and rank > 0 and (m >> (rank - 1)) & 1:
        weight += TOP_OF_SEQUENCE
    return weight - 4 * rank + (9 if kind == 0 else 4) * length


@inlined
def follow_weight(card, place, best, is_ours, lead, partner, left, right, trump, length) -> Any:
    """How good a card looks to second, third and fourth hand: the cheapest that wins the trick for the side, else the cheapest."""
    suit, rank = card >> 4, card & 15
    wins = beats(card, best, trump)
    low = -4 * rank
    if suit != lead:
        if suit == trump:
            low += RUFF_LOW
        else:
            theirs = ((left | right) >> (16 * suit)) & SUIT
            low += 6 * length + 5 * popcount(theirs) - 19 * popcount((partner >> (16 * suit)) & SUIT)
            if rank > highest(theirs):
                low += THROWS_WINNER
    if place == 3:
        if is_ours:
            return low + (WINS_OVER_PARTNER if wins else 0)
        return WINS[2] - 4 * rank if wins else low
    if place == 2:
        if is_ours and not can_beat(left, lead, trump, best):
            return low + (WINS_OVER_PARTNER if wins else 0)
        if wins:
            return WINS_FOR_NOW - 2 * rank if can_beat(left, lead, trump, card) else WINS[1] - 4 * rank
        return low
    partner_wins = can_beat(partner, lead, trump, best) and not can_beat(left, lead, trump, best)
    if wins and not can_beat(left, lead, trump, card):
        return (PARTNER_COULD if partner_wins else WINS[0]) - 4 * rank
    return low + (48 if wins else 40) - (140 if partner_wins else 0)


@inlined
def following(cards, lead) -> Any:
    """The cards that may be played to a suit led."""
    suited = cards & (i64(SUIT) << (16 * lead))
    return suited if suited else cards


@inlined
def ordered(allowed, mine, partner, left, right, start, place, best, is_ours, lead, trump, known, moves, base) -> Any:
    """Put the cards worth trying into `moves` from `base` on, one of each run of equals, the likeliest first. Returns their number.

    A card is the lowest six bits of a move; above it stands how good it looked.
    """
    count = i64(0)
    for suit in range(4):
        own = (allowed >> (16 * suit)) & SUIT
        if own == 0:
            continue
        everyone = (start >> (16 * suit)) & SUIT
        length = popcount(own)
        previous = i64(-1)
        while own:
            rank = highest(own)
            own ^= i64(1) << rank
            is_equal = previous >= 0 and (everyone & ((i64(1) << previous) - 1)) >> (rank + 1) == 0
            previous = rank
            if is_equal:
                continue
            card = (i64(suit) << 4) | rank
            if place == 0:
                weight = lead_weight(suit, rank, mine, partner, left, right, trump, length)
            else:
                weight = follow_weight(card, place, best, is_ours, lead, partner, left, right, trump, length)
            if card == known:
                weight += KNOWN
            move = (weight << 6) | card
            k = base + count
            while k > base and moves[k - 1] < move:
                moves[k] = moves[k - 1]
                k -= 1
            moves[k] = move
            count += 1
    return count


@inlined
def last_trick(hands, rest, seat, trump) -> Any:
    """The last trick plays itself: 1 where North and South win it, and the rank that it was won by."""
    best = highest(hands[seat] & rest)
    winner = seat
    for k in range(1, 4):
        card = highest(hands[(seat + k) & 3] & rest)
        if beats(card, best, trump):
            best, winner = card, (seat + k) & 3
    by_rank = popcount((rest >> (best & 48)) & SUIT) > 1
    return i64(1 - (winner & 1)), i64(1) << best if by_rank else i64(0)


@always_inlined
def count_tricks(mine, partner, left, right, trump, tricks, need, is_ns) -> Any:
    """Tricks that one side can count: 1, 0 or, where that is not enough, -1; and the ranks it needs."""
    want = need if is_ns else tricks - need + 1
    quick, ranks = quick_tricks(mine, partner, left, right, trump, tricks, want)
    if quick < want and trump != NONE:
        quick, ranks = sure_trumps(mine, partner, left | right, trump, want)
        if want == 1 and quick == 0:
            ranks = guarded_trump(partner, left, right, trump)
            if ranks:
                quick = i64(1)
    if quick >= want:
        return i64(1) if is_ns else i64(0), ranks
    want = tricks - need + 1 if is_ns else need
    quick, ranks = i64(0), i64(0)
    if trump != NONE:
        quick, ranks = sure_trumps(left, right, mine | partner, trump, want)
        if want == 1 and quick == 0:
            ranks = guarded_trump(left, mine, partner, trump)
            if ranks == 0:
                ranks = guarded_trump(right, partner, mine, trump)
            if ranks:
                quick = i64(1)
    if quick < want and (trump == NONE or (((mine | partner) >> (16 * trump)) & SUIT) == 0):
        quick, ranks = waiting_tricks(mine, partner, left, right, tricks, want)
    value = i64(-1)
    if quick >= want:
        value = i64(0) if is_ns else i64(1)
    return value, ranks
