import { findHidden } from '../characters.ts';
import { findConfusable } from '../confusables.ts';
import { platformRow, type Platform } from '../platforms/platforms.ts';

/** Why a name cannot be read, for a text in any language. */
export type NameReason =
  | { kind: 'hidden' }
  | { kind: 'look_alike'; character: string; like: string }
  | { kind: 'character'; character: string; title: string }
  /** A page of a site, where only the whole site has an owner. */
  | { kind: 'page' }
  /** People there are known by numbers only. */
  | { kind: 'number'; title: string }
  | { kind: 'form'; title: string };

/** Of a name that its platform has refused. */
export function reasonAgainst(platform: Platform, receiver: string): NameReason {
  const { title, nameIsIdentity, isUserId } = platformRow(platform);
  const text = receiver.normalize('NFKC').replace(/^@/, '');
  if (findHidden(text) !== null) return { kind: 'hidden' };
  const characters = Array.from(text);
  const lookAlike = characters.find((character) => findConfusable(character));
  const like = lookAlike === undefined ? undefined : findConfusable(lookAlike)?.like;
  if (lookAlike !== undefined && like !== undefined) return { kind: 'look_alike', character: lookAlike, like };
  if (nameIsIdentity) return /^(?:https?:\/\/)?[^/]+\/./i.test(text) ? { kind: 'page' } : { kind: 'form', title };
  if (isUserId?.('a') === true) return { kind: 'number', title };
  const stranger = characters.find((character) => !/[A-Za-z0-9_.-]/.test(character));
  return stranger === undefined ? { kind: 'form', title } : { kind: 'character', character: stranger, title };
}
