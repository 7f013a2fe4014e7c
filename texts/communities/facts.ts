import type { ReceiptStyle } from '../../core/communities/community-settings.ts';
import type { MicroUsdc } from '../../core/money.ts';

/** One thing that holds in a community, as texts say it; null is none. */
export type SettingFact =
  /** No name: tips are allowed everywhere. `more`: so many other places. */
  | { setting: 'channels'; names: readonly string[]; more: number }
  | { setting: 'min' | 'max'; amount: MicroUsdc | null }
  | { setting: 'cooldown' | 'lifetime'; time: string | null }
  | { setting: 'receipts'; style: ReceiptStyle }
  | { setting: 'notes'; isOn: boolean }
  /** By its own name; null: each answer is in the language of the person who asked. */
  | { setting: 'language'; name: string | null }
  | { setting: 'log'; name: string | null }
  /** Where the platform has no roles, administrators confirm. */
  | { setting: 'role' | 'drops'; name: string | null; hasRoles: boolean }
  /** How many confirm a reward above 10 USDC; only guilds have it. */
  | { setting: 'quorum'; count: 1 | 2 }
  | { setting: 'ban'; count: number };

/** What a wish contradicts, so that nothing was changed. */
export type SettingsProblem =
  | { code: 'min_above_max'; min: MicroUsdc; max: MicroUsdc }
  /** Nothing can be taken from "everywhere"; the places that remain have to be named. */
  | { code: 'everywhere_already' }
  | { code: 'too_many_channels' }
  /** The role that everybody has. */
  | { code: 'role_of_all' }
  /** The same for who may take part in drops. */
  | { code: 'drops_for_all' }
  /** Who confirms rewards, and how many, is for the owner to say. */
  | { code: 'not_owner' };

/** Why a tip does not go on as it is, in a community whose moderators have decided so. */
export type RuleProblem =
  | { code: 'banned' }
  /** `names`: where tips are allowed; `more`: so many other places. */
  | { code: 'other_channel'; names: readonly string[]; more: number }
  | { code: 'no_notes' }
  | { code: 'below_min' | 'above_max'; limit: MicroUsdc }
  | { code: 'too_soon'; endsAtMs: number };
