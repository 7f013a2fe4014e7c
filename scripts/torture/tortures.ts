import { FAILPOINTS } from '../../core/failpoints.ts';
import { CLUSTER_FAULTS } from './cluster-faults.ts';
import { killAtPoint, type Outcome } from './faults.ts';
import { runInVitest, type Part } from './in-vitest.ts';
import { killEverywhere } from './kills.ts';
import {
  FUZZ_FACES,
  GROUP_FAULTS,
  JOIN_FAULTS,
  LEASE_FAULTS,
  MODEL_FAULTS,
  PURSE_FAULTS,
  REQUEST_FAULTS,
  RESTORE_FAULTS,
  STORM_FAULTS,
} from './fault-names.ts';
import { GROUP_POINTS, LINK_POINTS, PURSE_POINTS, REWARD_POINTS, SOLANA_POINTS } from './points.ts';

export type Torture = {
  run: (args: readonly string[], part: Part) => Promise<Outcome>;
  /** Each of them must hit at least once, or the torture is red. */
  faults: readonly string[];
};

/** `unless`: what an option is when the command line leaves it out; null leaves it to the test. */
type Option = { name: string; unless: string | null };

function ofTest(file: string, options: readonly Option[], faults: readonly string[]): Torture {
  const countsOf = (args: readonly string[]) =>
    Object.fromEntries(
      options.flatMap(({ name, unless }, index) => {
        const value = args[index] ?? unless;
        return value === null ? [] : [[name, value]];
      }),
    );
  return { run: (args, part) => runInVitest([file], countsOf(args), part), faults };
}

const STORM_FILES = [
  'test/attack/resolving-model.test.ts',
  'test/bot/discord/burst.test.ts',
  'test/bot/reward-kills.test.ts',
  'test/bot/telegram/burst.test.ts',
  'test/flow/a2a.test.ts',
];
/** The storms of these files, and none of their other tests. */
const STORM_TESTS = 'commands at once|moderators at once|agents at once|names are looked up';
const SOLANA_FAULTS = ['drop', 'hold', 'late', 'lose_reply', 'unavailable'];
const JOIN_FILES = ['test/attack/joins.test.ts', 'test/service/joins.torture.test.ts'];
const LEASE_FILES = ['test/attack/leases.test.ts', 'test/service/leases.torture.test.ts'];
const LOCKOUT_FAULTS = ['no mail for a stranger', 'owner by receipt', 'owner by mail', 'caller used up'];
const DRAIN_FAULTS = ['own network', 'fee asked', 'group carried', 'budget lost', 'no account for a new name'];

export const TORTURES = {
  /** `kills [rounds]`: the real service dies at every named point of the payment and payout path, as often as asked. */
  kills: {
    run: ([rounds = '3'], { points = FAILPOINTS }) => killEverywhere(Number(rounds), points),
    faults: FAILPOINTS.map(killAtPoint),
  },
  /**
   * `model [lives] [seed]`: random lives of the whole money path (payments, retries, lost replies, reorganisations,
   * cancelled and copied authorizations, restarts), each judged at its end against the chain.
   */
  model: ofTest(
    'test/attack/model.torture.test.ts',
    [
      { name: 'ATTACK_RUNS', unless: '60' },
      { name: 'ATTACK_SEED', unless: null },
    ],
    MODEL_FAULTS,
  ),
  /**
   * `solana [seeds] [first] [payouts]`: payouts on Solana under random drops, late landings, lost replies, 503s and kills,
   * judged against the chain; and the control, which re-signs on a time-out and must be seen to pay twice.
   */
  solana: ofTest(
    'test/attack/solana/ordeal.torture.test.ts',
    [
      { name: 'ORDEAL_SEEDS', unless: '10' },
      { name: 'ORDEAL_FIRST', unless: '1' },
      { name: 'ORDEAL_PAYOUTS', unless: '100' },
    ],
    [...SOLANA_POINTS.map(killAtPoint), ...SOLANA_FAULTS],
  ),
  /**
   * `claims [count]`: that many people collect at once from the whole service, on both networks, and confirm more than
   * once. Each must be paid exactly once.
   */
  claims: ofTest('test/attack/claims.torture.test.ts', [{ name: 'CLAIMS_COUNT', unless: '500' }], ['confirmed again']),
  /**
   * `chat-kills [rounds] [tips] [seed] [events]`: tips over all three chats and both networks while the bot is killed at
   * each point of a command's way, that many times each. Everything is delivered three times, and once more at the end; each
   * tip must be paid, ended and told exactly once. The same for at least so many events each of drops, bills, `/top` and
   * blocks in groups on Discord and Telegram, where each press is made twice; what a blocked giver sent must be back with
   * them. And the controls, which forget what was delivered or agreed to, and must be seen to pay twice and to lose.
   */
  'chat-kills': ofTest(
    'test/attack/chat-kills.torture.test.ts',
    [
      { name: 'CHAT_KILLS_ROUNDS', unless: '3' },
      { name: 'CHAT_KILLS_TIPS', unless: '500' },
      { name: 'CHAT_KILLS_SEED', unless: '1' },
      { name: 'CHAT_KILLS_EVENTS', unless: '500' },
    ],
    [...GROUP_POINTS.map(killAtPoint), 'delivered again', ...GROUP_FAULTS],
  ),
  /**
   * `wallet-race [tips]`: so many tips at once out of one wallet that has money for half of them. Exactly half must be paid,
   * the others must hear what is missing, and none may stay open.
   */
  'wallet-race': ofTest(
    'test/attack/wallet-race.torture.test.ts',
    [{ name: 'WALLET_RACE_TIPS', unless: '200' }],
    ['tip without money'],
  ),
  /**
   * `pay-links [seed] [links]`: links are made in the web chat and paid on both networks, by a wallet, by a transfer, by
   * both at once and by a transfer that is sent twice, while the service is killed at each point of a link's way. Each must
   * be paid once and told once, and what came twice must be back with the one who asked for the link. And the control,
   * which forgets where money goes back to and must be seen to keep what came twice.
   */
  'pay-links': ofTest(
    'test/attack/pay-links.torture.test.ts',
    [
      { name: 'PAY_LINKS_SEED', unless: '1' },
      { name: 'PAY_LINKS', unless: '120' },
    ],
    [...LINK_POINTS.map(killAtPoint), 'forged signature', 'transfer sent twice', 'paid both ways', 'delivered again'],
  ),
  /**
   * `rewards [seed] [runs]`: so many communities on both networks reward people, out of their treasuries or, where one has
   * nothing, by a wallet on the card's page. Both moderators press at once, everything is delivered three times, and the
   * service is killed at each point from the press to the last payout; fewer than 120 runs may meet no link at some point.
   * Each reward must be paid once or clearly not at all, by the chain and by its card. And the control, in which what was
   * paid is forgotten, and which must be seen to pay twice.
   */
  rewards: ofTest(
    'test/attack/rewards.torture.test.ts',
    [
      { name: 'REWARD_KILLS_SEED', unless: '1' },
      { name: 'REWARD_KILLS', unless: '200' },
    ],
    [...REWARD_POINTS.map(killAtPoint), 'forged signature', 'confirmed and rejected at once', 'delivered again'],
  ),
  /**
   * `purses [count] [kills] [seed]`: so many people collect, sign in on a second browser, send, take out and read their
   * statements while the service is killed at each point and so many times by chance. Nobody may see another's money, or lose any.
   */
  purses: ofTest(
    'test/attack/purses/purses.torture.test.ts',
    [
      { name: 'PURSES', unless: '300' },
      { name: 'PURSE_KILLS', unless: '20' },
      { name: 'PURSES_SEED', unless: '1' },
    ],
    [...PURSE_POINTS.map(killAtPoint), ...PURSE_FAULTS],
  ),
  /**
   * `pairs [count]`: each pair of functions that decide about money, or so many of them, on PostgreSQL. One is held before
   * each of its statements while the other runs; rows and answers must be those of one order or the other. And the control
   * without locks.
   */
  pairs: ofTest(
    'test/attack/pairs.torture.test.ts',
    [{ name: 'PAIRS', unless: 'all' }],
    ['waited for a lock', 'ran between two statements'],
  ),
  /**
   * `joins [runs] [worlds]`: with the roles as processes on PostgreSQL an API is killed, also behind a proxy or with another
   * clock, or stopped for three leases, or cannot note that its callers are gone; they sign anew at another one, so many
   * times on each family, and must be charged once. And two callers who both wait pay twice. The same in so many worlds of
   * virtual time, where chance decides what happens to whom.
   */
  joins: {
    run: ([runs = '20', worlds = '2000'], part) =>
      runInVitest(JOIN_FILES, { JOINS_RUNS: runs, JOINS_WORLDS: worlds }, part),
    faults: JOIN_FAULTS,
  },
  /**
   * `cluster [minutes] [seed] [patience]`: two processes of each role on PostgreSQL and Redis, payers of all kinds on both
   * networks and people who tip over Telegram, and every fault of processes, stores and nodes in an order that the seed
   * decides; it decides as well which network has a second node. The chains and the recorded answers are the verdict. An
   * hour has 60 kills, 500 payments, 100 tips and each fault 5 times at least, or is red; a shorter run has its part. On a busy machine patience makes the limits so many times as long; what happened is in a file
   * as it happens, so a run that is broken off has not been for nothing.
   */
  cluster: ofTest(
    'test/attack/cluster.torture.test.ts',
    [
      { name: 'CLUSTER_MINUTES', unless: '60' },
      { name: 'CLUSTER_SEED', unless: '1' },
      { name: 'CLUSTER_PATIENCE', unless: '1' },
    ],
    CLUSTER_FAULTS,
  ),
  /**
   * `leases [worlds] [runs]`: processes that want the same things are stopped, killed, told to leave and lied to in virtual
   * time, so many worlds; and over real processes on PostgreSQL, so many times, a worker is stopped between signing and
   * storing, or storing and sending, and let go when another holds its work.
   */
  leases: {
    run: ([worlds = '500', runs = '5'], part) =>
      runInVitest(LEASE_FILES, { LEASES_WORLDS: worlds, LEASES_RUNS: runs }, part),
    faults: LEASE_FAULTS,
  },
  /**
   * `lockout [owners] [strangers]`: so many owners of an address, one after the other, each under so many strangers' claims
   * an hour from as many networks and from the owner's own. With the link of the receipt or a mail each must collect within
   * two minutes, in virtual time. And the controls without these links, which must be seen to keep the owner out.
   */
  lockout: ofTest(
    'test/attack/owners/lockout.torture.test.ts',
    [
      { name: 'LOCKOUT_OWNERS', unless: '24' },
      { name: 'LOCKOUT_STRANGERS', unless: '1000' },
    ],
    LOCKOUT_FAULTS,
  ),
  /**
   * `flood [sockets] [payments] [patience]`: so many half-open sockets, and 60 connections each on pictures, pages and
   * streams, while payers pay: at most twice as slow as in a quiet run, none refused, nothing left of it 15 s later. And
   * each limit with its control, which is seen to fail. With patience 0 times are printed, not judged.
   */
  flood: ofTest(
    'test/attack/flood',
    [
      { name: 'FLOOD_SOCKETS', unless: '5000' },
      { name: 'FLOOD_PAYMENTS', unless: '200' },
      { name: 'FLOOD_PATIENCE', unless: '1' },
    ],
    ['half-open socket', 'picture asked for', 'page asked for', 'stream held'],
  ),
  /**
   * `drain [tips] [cycles]`: so many self-tips on each network, each with a new wallet, name and /64, and so many accounts on
   * Solana that a new name asks for. What it costs must stay within the day's budget, no rent may be earned, a group whose
   * members tip each other pays nothing, and first-time recipients are paid. And the controls: without a budget the same tips
   * are seen to cost more than it, without an age each name earns rent.
   */
  drain: ofTest(
    'test/attack/costs/drain.torture.test.ts',
    [
      { name: 'DRAIN_TIPS', unless: '2000' },
      { name: 'DRAIN_CYCLES', unless: '200' },
    ],
    DRAIN_FAULTS,
  ),
  /**
   * `restore [payments] [runs]`: a backup that is so many payments old (a quarter on Solana) is put back under load, so
   * many times on each network and database, with hard cases planted in the lost time. On SQLite the operator's command
   * line reconciles. The chain says whether anybody was paid twice or robbed; the operator's list must hold the planted
   * cases only, and signing must go on. And the controls without names and without marking.
   */
  restore: ofTest(
    'test/attack/restore/restore.torture.test.ts',
    [
      { name: 'RESTORE_PAYMENTS', unless: '300' },
      { name: 'RESTORE_RUNS', unless: '3' },
    ],
    RESTORE_FAULTS,
  ),
  /**
   * `requests [count] [seed]`: that many generated requests against the whole service in a process of its own, each answer
   * judged by the contract, and the memory of the service at the end. The same seed makes the same requests.
   */
  requests: ofTest(
    'test/contract/requests.test.ts',
    [
      { name: 'REQUESTS_COUNT', unless: '10000' },
      { name: 'REQUESTS_SEED', unless: String(Date.now() % 2 ** 31) },
    ],
    REQUEST_FAULTS,
  ),
  /**
   * `fuzz [count] [seed]`: that many requests to every face at once (HTTP, MCP, A2A, pages and forms, the web chat, Telegram's
   * webhook), nearly right ones most of all, at the most talkative log. No answer is an error of ours, the memory stays, and
   * nothing that belongs to one person or caller is in a log, an answer or a column that is not its own.
   */
  fuzz: ofTest(
    'test/attack/fuzz',
    [
      { name: 'FUZZ_COUNT', unless: '100000' },
      { name: 'FUZZ_SEED', unless: String(Date.now() % 2 ** 31) },
    ],
    FUZZ_FACES,
  ),
  /**
   * `storms [times]`: what `npm test` has a few of at once, so many times as many: commands in both chats, moderators who
   * press the same buttons, agents and thieves, and lives of lines whose platforms are away.
   */
  storms: {
    run: ([times = '20'], part) => runInVitest(STORM_FILES, { STORM: times }, { tests: STORM_TESTS, ...part }),
    faults: STORM_FAULTS,
  },
} as const satisfies Record<string, Torture>;
