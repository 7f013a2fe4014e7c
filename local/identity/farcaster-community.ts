/** The made-up community of local mode: one post that some forty people engaged with, and one that thousands did. */
import { toHubHash, toHubTime, type CastId, type HubCast, type HubPosts, type HubReaction } from './farcaster-posts.ts';

export const COMMUNITY_AUTHOR = 'marta-builds';
/** The cast of the contract's examples. */
export const COMMUNITY_CAST_HASH = '0xb87cf233790dd2d8a3ed9549f9e15069c02b1da0';
export const BUSY_CAST_HASH = toHubHash('crowd');
export const BUSY_SIZE = 5_400;

const PUBLISHED_AT_MS = Date.UTC(2026, 10, 9, 16, 20);
const BUSY_PUBLISHED_AT_MS = Date.UTC(2026, 10, 2, 9);
const MINUTE_MS = 60_000;

const TEXT = [
  'Demo night is back: five minutes each, no slides, show the thing.',
  'Reply with what you are bringing. The recording goes up tomorrow,',
  'and whoever helps to spread the word gets a share of the snack budget.',
].join(' ');

/** What a person did, each kind as a letter (like, comment, repost), and how long after the post that began. */
type Engagement = readonly [name: string, kinds: string, afterMinutes: number];

// prettier-ignore
const ENGAGEMENTS: readonly Engagement[] = [
  ['inkwell-ada', 'lcr', 3], ['piotr-draws', 'l', 4], ['saltmarsh', 'lr', 6], ['noor-k', 'lc', 7],
  ['benny-tiles', 'l', 9], ['quietgarden', 'lcr', 11], ['okonjo-lab', 'c', 14], ['fern-and-co', 'l', 15],
  ['hanabi-dev', 'lr', 19], ['teodora', 'l', 22], ['slow-coffee', 'lc', 26], ['mira-maps', 'lcr', 31],
  ['juno-reads', 'l', 38], ['bytebakery', 'r', 44], ['elif-codes', 'lc', 52], ['river-notes', 'l', 63],
  ['tomasz-w', 'lr', 75], ['paperkite', 'c', 88], ['amara-sings', 'lc', 104], ['dusk-radio', 'l', 121],
  ['kenji-loops', 'lcr', 140], ['lowtide', 'l', 171], ['sofia-grids', 'r', 205], ['moss-club', 'l', 248],
  ['yusuf-prints', 'lc', 310], ['greta-hacks', 'lr', 377], ['plumline', 'l', 455], ['otto-pixels', 'c', 540],
  ['lana-weaves', 'lcr', 702], ['northpier', 'l', 815], ['imran-bikes', 'lc', 960], ['cloudberry', 'l', 1_130],
  ['vera-synth', 'r', 1_320], ['oakandpine', 'l', 1_515], ['chidi-plots', 'lr', 1_790], ['snowglobe', 'l', 2_080],
  ['rosa-types', 'lc', 2_460], ['tinyorbit', 'l', 2_905], ['dmitri-cooks', 'c', 3_370], ['harborlight', 'l', 3_900],
  ['zuri-frames', 'lr', 4_480], ['latecomer', 'lcr', 5_600],
];

/** Members who published a wallet of their own; the others' shares wait for them. */
export const COMMUNITY_WALLETS: readonly string[] = [
  'inkwell-ada',
  'saltmarsh',
  'quietgarden',
  'hanabi-dev',
  'juno-reads',
];

/** An account that never took a name, and the author, who answers people. Neither can be paid for it. */
const NAMELESS = 'nobody-took-this';
const OWN: readonly Engagement[] = [
  [COMMUNITY_AUTHOR, 'lc', 1],
  [NAMELESS, 'l', 66],
];

const LETTERS = { l: 'LIKE', r: 'RECAST' } as const;

/** Accounts have the ids that local mode derives from their names. Made when first asked for. */
export function createCommunityPosts({ fidOf }: { fidOf: (name: string) => number }): HubPosts {
  let made: Made | undefined;
  const get = (): Made => (made ??= make(remembering(fidOf)));
  return {
    casts: () => get().casts,
    reactions: () => get().reactions,
    nameOf: (fid) => get().names.get(fid) ?? null,
  };
}

/** Each name is asked for with everything that its person did, and the first question waits for all of it. */
function remembering(fidOf: (name: string) => number): (name: string) => number {
  const known = new Map<string, number>();
  return (name) => {
    const fid = known.get(name) ?? fidOf(name);
    known.set(name, fid);
    return fid;
  };
}

type Made = { casts: HubCast[]; reactions: HubReaction[]; names: Map<number, string> };

function make(fidOf: (name: string) => number): Made {
  const author = fidOf(COMMUNITY_AUTHOR);
  const post = { fid: author, hash: COMMUNITY_CAST_HASH, text: TEXT, timestamp: toHubTime(PUBLISHED_AT_MS) };
  const busyText = 'Twelve years of the little weather station: all the readings are online now.';
  const busyAt = toHubTime(BUSY_PUBLISHED_AT_MS);
  const busyPost = { fid: author, hash: BUSY_CAST_HASH, text: busyText, timestamp: busyAt };
  const all = [...ENGAGEMENTS, ...OWN];
  const many = Array.from({ length: BUSY_SIZE }, (_, index) => toBusyEngagement(index));
  const names = new Map([...all, ...many].map(([name]) => [fidOf(name), name]));
  names.delete(fidOf(NAMELESS));
  return {
    casts: [post, busyPost, ...toReplies(all, post, fidOf), ...toReplies(many, busyPost, fidOf)],
    reactions: [...toReactions(all, post, fidOf), ...toReactions(many, busyPost, fidOf)],
    names,
  };
}

/** Most like, every ninth recasts as well, every thirty-first answers. */
function toBusyEngagement(index: number): Engagement {
  const kinds = `l${index % 31 === 0 ? 'c' : ''}${index % 9 === 0 ? 'r' : ''}`;
  return [`reader-${String(index + 1).padStart(4, '0')}`, kinds, index];
}

function toReactions(
  engagements: readonly Engagement[],
  target: HubCast,
  fidOf: (name: string) => number,
): HubReaction[] {
  const id: CastId = { fid: target.fid, hash: target.hash };
  return engagements.flatMap(([name, kinds, afterMinutes]) =>
    (['l', 'r'] as const)
      .filter((letter) => kinds.includes(letter))
      .map((letter) => {
        const timestamp = toTimestamp(target, afterMinutes, kinds.indexOf(letter));
        return { fid: fidOf(name), type: LETTERS[letter], target: id, timestamp };
      }),
  );
}

/** Every third writes twice: only the first time counts. */
function toReplies(engagements: readonly Engagement[], target: HubCast, fidOf: (name: string) => number): HubCast[] {
  const parent: CastId = { fid: target.fid, hash: target.hash };
  return engagements
    .filter(([, kinds]) => kinds.includes('c'))
    .flatMap(([name, kinds, afterMinutes], index) =>
      (index % 3 === 0 ? [0, 45] : [0]).map((laterMinutes, position) => ({
        fid: fidOf(name),
        hash: toHubHash(`reply/${target.hash}/${name}/${position}`),
        text: position === 0 ? 'Count me in.' : 'And I am bringing the cables.',
        timestamp: toTimestamp(target, afterMinutes + laterMinutes, kinds.indexOf('c')),
        parent,
      })),
    );
}

/** People do one thing after the other. */
function toTimestamp(target: HubCast, afterMinutes: number, position: number): number {
  return target.timestamp + Math.floor((afterMinutes * MINUTE_MS) / 1_000) + 20 * (position + 1);
}
