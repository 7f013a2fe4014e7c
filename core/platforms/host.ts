/** Host names for `web` and for the part of an e-mail address after the `@`. */
import { describeCharacter, quoteText } from '../characters.ts';
import { findConfusable, toSkeleton } from '../confusables.ts';
import { toUnicodeHost } from './unicode-host.ts';
import type { Problem } from './parsed-name.ts';

const HOST_CHARACTERS_MAX = 253;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const IP_V4 = /^(?:[0-9]{1,3}\.){3}[0-9]{1,3}$/;

/**
 * Nobody can own a name under these, so nobody could collect (RFC 6761, 6762, 7686, 8375, 9476; ICANN's `internal`).
 */
const SPECIAL_USE = new Set(['localhost', 'local', 'internal', 'onion', 'invalid', 'alt', 'arpa']);

/** Scripts that one label may mix: each group is one writing system (UTS #39, "highly restrictive"). */
const SCRIPT_GROUPS: readonly RegExp[] = [
  /^[\p{scx=Latin}\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Common}\p{scx=Inherited}]+$/u,
  /^[\p{scx=Latin}\p{scx=Han}\p{scx=Bopomofo}\p{scx=Common}\p{scx=Inherited}]+$/u,
  /^[\p{scx=Latin}\p{scx=Han}\p{scx=Hangul}\p{scx=Common}\p{scx=Inherited}]+$/u,
  // prettier-ignore
  ...[
    'Arabic', 'Armenian', 'Bengali', 'Cyrillic', 'Devanagari', 'Ethiopic', 'Georgian', 'Greek', 'Gujarati', 'Gurmukhi',
    'Hebrew', 'Kannada', 'Khmer', 'Lao', 'Malayalam', 'Myanmar', 'Oriya', 'Sinhala', 'Tamil', 'Telugu', 'Thaana', 'Thai',
    'Tibetan',
  ].map((script) => new RegExp(`^[\\p{scx=${script}}\\p{scx=Common}\\p{scx=Inherited}]+$`, 'u')),
];

/**
 * Reduces a host to its lower-case A-label form (`Bücher.de` → `xn--bcher-kva.de`). Refuses IP addresses in every
 * notation a browser would understand, single labels, names nobody can own, and labels made to look like others.
 */
export function parseHost(text: string): { host: string } | Problem {
  if (text === '') return { problem: 'has no host' };
  if (text.startsWith('[') || text.includes('::')) return { problem: 'is an IP address' };
  const stranger = Array.from(text).find((character) => !/[A-Za-z0-9.-]/.test(character) && isAscii(character));
  if (stranger !== undefined) return { problem: `contains ${describeCharacter(stranger)}` };
  const host = toAsciiHost(text);
  if (host === null || IP_V4.test(host)) {
    const isNumber = /^(?:[0-9]+|0x[0-9a-f]*)\.?$/i.test(text.split('.').findLast((label) => label !== '') ?? '');
    return { problem: isNumber ? 'is an IP address or a number, not a name' : 'is not a valid host name' };
  }
  return checkLabels(host) ?? checkAppearance(text) ?? checkMeaning(host) ?? { host };
}

/** Uses the WHATWG parser, because a browser opens what it understands. Null: it refuses. */
function toAsciiHost(text: string): string | null {
  return URL.canParse(`https://${text}/`) ? new URL(`https://${text}/`).hostname : null;
}

function checkLabels(host: string): Problem | null {
  const labels = host.split('.');
  const top = labels.at(-1) ?? '';
  if (labels.length < 2) return { problem: 'has one part only' };
  if (host.length > HOST_CHARACTERS_MAX) return { problem: `is longer than ${HOST_CHARACTERS_MAX} characters` };
  const wrong = labels.find((label) => !LABEL.test(label));
  if (wrong === '') return { problem: 'has an empty part between dots' };
  if (wrong !== undefined) return { problem: `has the part ${quoteText(wrong)}, which is not valid in a host name` };
  if (SPECIAL_USE.has(top)) return { problem: `ends in ".${top}", where nobody can own a name` };
  return null;
}

/**
 * A label in other letters is genuine unless it mixes scripts or consists of look-alikes only, which is how forged
 * names are made.
 */
function checkAppearance(text: string): Problem | null {
  const labels = text.split('.');
  for (const label of labels) {
    if (isAscii(label)) continue;
    const stranger = Array.from(label).find((character) => !/[\p{L}\p{N}\p{M}-]/u.test(character));
    if (stranger !== undefined) return { problem: `contains ${describeCharacter(stranger)}` };
    const isMixed = !SCRIPT_GROUPS.some((group) => group.test(label));
    if (!isMixed && !imitatesAscii(label, labels)) continue;
    const lookAlike = Array.from(label).find((character) => findConfusable(character));
    const why =
      lookAlike === undefined
        ? 'mixes alphabets, or uses a rare one, in one part'
        : `contains ${describeCharacter(lookAlike)}`;
    return { problem: why };
  }
  return null;
}

/** An A-label (`xn--…`) is shown as what it stands for, so it is judged as that. */
function checkMeaning(host: string): Problem | null {
  const meant = toUnicodeHost(host);
  const problem = meant === host ? null : checkAppearance(meant);
  return problem && { problem: `reads as ${quoteText(meant)}, which ${problem.problem}` };
}

/** Under a top level in the same letters (as in `.рф`) no reader expects an ASCII name. */
function imitatesAscii(label: string, labels: readonly string[]): boolean {
  return isAscii(labels.at(-1) ?? '') && LABEL.test(toSkeleton(label.toLowerCase()).toLowerCase());
}

function isAscii(text: string): boolean {
  return /^\p{ASCII}*$/u.test(text);
}
