import type { Admin } from '../../../db/admins/admins.ts';
import type { Config } from '../../../core/config/config.ts';
import type { Store } from '../../../db/store/store.ts';
import type { Sight } from './sight.ts';
import type { Html } from '../../../web/html.ts';

/** One page that an admin asks for, with the role that they have now. */
export type Visit = {
  store: Store;
  config: Config;
  admin: Admin;
  nowMs: number;
  /** What this role sees of what is personal. */
  sight: Sight;
  /** A word of the address's query; empty where it is not there. */
  query: (name: string) => string;
};

/** Null: there is no such page. */
export type Shown = { title: string; body: Html } | null;
export type Show = (visit: Visit) => Shown | Promise<Shown>;
