import { setTimeout as sleep } from 'node:timers/promises';
import type { Hits } from '../../../scripts/torture/faults.ts';
import {
  NODE_FAULTS,
  PROCESS_FAULTS,
  SECOND_FAULTS,
  STORE_FAULTS,
  type ClusterFault,
} from '../../../scripts/torture/cluster-faults.ts';
import { possibleFaults, type RpcFault, type RpcFaultKind, type Storm } from '../../support/chains/rpc-proxy.ts';
import type { ClusterNode } from '../../queue/support/redis-cluster.ts';
import type { Dice } from '../solana/dice.ts';
import { CHAINS, countKills, findRare, type Aim, type Chain, type Interval } from './evidence.ts';
import type { Member } from './fleet.ts';
import type { Parts } from './installation.ts';
import { bothDown } from './troubles.ts';

const STEP_MS = { min: 3_000, max: 10_000 };
const NODE_STORM_MS = 6_000;
/** Of a hundred exchanges during a storm of the node. */
const NODE_SHARE = 35;
/** Longer than a node's silence may last until it is left out. */
const SECOND_MS = 12_000;
/** About what is compared. */
const SECOND_LIES: readonly RpcFaultKind[] = ['no_receipt', 'empty_logs', 'other_hash', 'other_word'];
const DELAY_MS = 1_500;
const DEAD_MS = 1_000;
const REDIS_MS = 4_000;

export type Tell = (event: Record<string, unknown>) => void;
type Action = ClusterFault | `node of ${Chain}`;

/**
 * What happens when, by the seed: a deck with every fault in it is shuffled and dealt, again and again, until the time is
 * over and each has fired often enough. A process that is stopped or being started is left alone meanwhile.
 */
export function createStorm(parts: Parts, dice: Dice, aim: Aim, tell: Tell) {
  const { named } = aim;
  const hits: Record<string, number> = {};
  const busy = new Set<Member>();
  const running = new Set<Promise<void>>();
  const troubles: Record<Chain, Interval[]> = { base: [], solana: [] };
  const hit = (name: ClusterFault) => void (hits[name] = (hits[name] ?? 0) + 1);

  async function during(chains: readonly Chain[], act: () => Promise<void>): Promise<void> {
    const interval = { fromMs: Date.now(), toMs: Number.POSITIVE_INFINITY };
    for (const chain of chains) troubles[chain].push(interval);
    await act().finally(() => (interval.toMs = Date.now()));
  }

  /** One that is up, so that the fault strikes; the other of its role may be away. */
  function pick(members: readonly Member[]): Member | null {
    const free = members.filter((member) => !busy.has(member));
    return free[dice.below(Math.max(1, free.length))] ?? null;
  }

  async function upset(members: readonly Member[], act: (member: Member) => Promise<void>): Promise<void> {
    const member = pick(members);
    if (member === null) return;
    busy.add(member);
    tell({ at: 'member', name: member.name });
    await act(member).finally(() => busy.delete(member));
  }

  const kill = (role: Member['role']) =>
    upset(parts.fleet.of(role), async (member) => {
      hit(`kill ${role}`);
      await member.kill();
      await sleep(DEAD_MS);
      await member.start();
    });
  const stop = (name: ClusterFault, seconds: number) =>
    upset(parts.fleet.members, async (member) => {
      hit(name);
      member.freeze();
      await sleep(seconds * 1_000);
      member.thaw();
    });
  /** The master that owns our slot; its replica takes over meanwhile. */
  const redis = async (
    name: ClusterFault,
    act: (owner: ClusterNode) => unknown,
    heal: (owner: ClusterNode) => void,
  ) => {
    const owner = await parts.redis.owner();
    hit(name);
    await act(owner);
    await sleep(REDIS_MS);
    heal(owner);
  };
  const postgres = (name: ClusterFault, how: 'fast' | 'immediate') =>
    during(CHAINS, async () => {
      hit(name);
      await parts.postgres.restart(how);
    });
  const node = (chain: Chain) =>
    during([chain], async () => {
      parts.proxies[chain].raise(nodeStorm(dice, aim, () => countHits()));
      await sleep(NODE_STORM_MS);
      parts.proxies[chain].raise(ambient);
      // What hangs is given up by its asker within this.
      await sleep(NODE_STORM_MS);
    });

  const second = async (name: ClusterFault, storm: Storm) => {
    const { proxy } = parts.second;
    const hitsOf = () => Object.values(proxy.hits()).reduce((sum, count) => sum + count, 0);
    const before = hitsOf();
    proxy.raise(storm);
    await sleep(SECOND_MS);
    proxy.raise(null);
    if (hitsOf() > before) hit(name);
  };
  const { chain: compared } = parts.second;

  /** Asked seldom, so it would hardly ever meet a storm: it may be told at any time. */
  const ambient: Storm = (methods) => {
    const isAsked = named.includes('rpc stale_nonce') && methods.includes('eth_getTransactionCount');
    return isAsked && dice.below(4) === 0 ? { kind: 'stale_nonce' } : null;
  };
  parts.proxies.base.raise(ambient);

  const ACTIONS: Record<string, () => Promise<void>> = {
    'kill api': () => kill('api'),
    'kill worker': () => kill('worker'),
    'kill bot': () => kill('bot'),
    'stop for 3 s': () => stop('stop for 3 s', 3),
    'stop for 12 s': () => stop('stop for 12 s', 12),
    'stop for 40 s': () => stop('stop for 40 s', 40),
    'redis killed': () =>
      redis(
        'redis killed',
        (owner) => owner.kill(),
        (owner) => owner.start(),
      ),
    'redis flushed': () => redis('redis flushed', parts.redis.flush, () => undefined),
    'redis frozen': () =>
      redis(
        'redis frozen',
        (owner) => owner.freeze(),
        (owner) => owner.thaw(),
      ),
    'postgres fast': () => postgres('postgres fast', 'fast'),
    'postgres immediate': () => postgres('postgres immediate', 'immediate'),
    // A network whose second node says nothing goes on.
    'second node silent': () => second('second node silent', () => ({ kind: 'drop' })),
    'second node lies': () =>
      during([compared], async () => {
        await second('second node lies', lieAsSecond(dice));
        // Until what is asked again is the same again.
        await sleep(NODE_STORM_MS);
      }),
    'node of base': () => node('base'),
    'node of solana': () => node('solana'),
  };

  const countHits = (): Hits => {
    const [base, solana] = [parts.proxies.base.hits(), parts.proxies.solana.hits()];
    const ofNodes = NODE_FAULTS.map((name) => {
      const kind = name.slice('rpc '.length) as RpcFault['kind'];
      return [name, base[kind] + solana[kind]];
    });
    return { ...hits, ...Object.fromEntries(ofNodes) };
  };

  /** Redis and PostgreSQL are each in one trouble at a time. */
  const lastOf = new Map<string, Promise<void>>();
  function begin(name: Action): void {
    tell({ at: 'fault', name });
    const act = ACTIONS[name];
    if (act === undefined) throw new Error(`no fault is called ${name}`);
    const part = name.split(' ')[0] ?? '';
    const isShared = part === 'redis' || part === 'postgres' || part === 'node' || part === 'second';
    const key = part === 'node' ? name : part;
    const begun = (isShared ? (lastOf.get(key) ?? Promise.resolve()) : Promise.resolve())
      .then(act)
      .catch((error: unknown) => {
        tell({ at: 'harness', error: String(error) });
      });
    if (isShared) lastOf.set(key, begun);
    running.add(begun);
    void begun.finally(() => running.delete(begun));
  }

  return {
    hits: countHits,
    troubles: (): Record<Chain, readonly Interval[]> => {
      const away = [...bothDown(parts.fleet.of('api')), ...bothDown(parts.fleet.of('worker'))];
      return { base: [...troubles.base, ...away], solana: [...troubles.solana, ...away] };
    },
    /** Resolves when the time is over and enough has happened, or after twice the time and a minute. */
    async rage(lengthMs: number, isEnough: () => boolean): Promise<void> {
      const startedMs = Date.now();
      const isOver = () => {
        const passedMs = Date.now() - startedMs;
        const hasFired = () => findRare(aim, countHits()).length === 0 && countKills(hits) >= aim.least.kills;
        return passedMs > 2 * lengthMs + 60_000 || (passedMs > lengthMs && hasFired() && isEnough());
      };
      const deck = deckOf(named);
      const stepMs = Math.min(STEP_MS.max, Math.max(STEP_MS.min, lengthMs / deck.length));
      while (!isOver()) {
        for (const name of shuffle(deck, dice)) {
          if (isOver()) break;
          begin(name);
          await sleep(stepMs);
        }
      }
      await Promise.all(running);
    },
  };
}

/** A storm of the node stands twice for each chain, since all faults of nodes are in it. */
function deckOf(named: readonly string[]): Action[] {
  const faults = [...PROCESS_FAULTS, ...STORE_FAULTS, ...SECOND_FAULTS].filter((name) => named.includes(name));
  const hasNodes = NODE_FAULTS.some((name) => named.includes(name));
  const nodes = CHAINS.flatMap((chain): Action[] => (hasNodes ? [`node of ${chain}`, `node of ${chain}`] : []));
  return [...faults, ...nodes];
}

function shuffle<Item>(items: readonly Item[], dice: Dice): Item[] {
  const left = [...items];
  return items.flatMap(() => left.splice(dice.below(left.length), 1));
}

/** Kinds that have not fired often enough take the first chance, so that rare questions meet them. */
function nodeStorm(dice: Dice, aim: Aim, hits: () => Hits): Storm {
  return (methods) => {
    const possible = possibleFaults(methods).filter((kind) => aim.named.includes(`rpc ${kind}`));
    const rare = findRare(aim, hits());
    const wanted = possible.filter((kind) => rare.includes(`rpc ${kind}`));
    if (wanted.length === 0 && dice.below(100) >= NODE_SHARE) return null;
    const from = wanted.length > 0 ? wanted : possible;
    const kind = from[dice.below(Math.max(1, from.length))];
    if (kind === undefined) return null;
    return kind === 'delay' ? { kind, delayMs: DELAY_MS } : { kind };
  };
}

function lieAsSecond(dice: Dice): Storm {
  return (methods) => {
    const possible = possibleFaults(methods).filter((kind) => SECOND_LIES.includes(kind));
    const kind = possible[dice.below(Math.max(1, possible.length))];
    return kind === undefined || kind === 'delay' ? null : { kind };
  };
}
