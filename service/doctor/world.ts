import type { Config, Role } from '../../core/config/config.ts';
import type { EvmNetwork } from '../../core/networks.ts';
import type { ScreeningVerdict } from '../../core/screening/screening.ts';
import type { InUse } from '../../db/rotations/rotation.ts';
import type { FormerStanding } from '../../db/rotations/standing.ts';
import type { KeystoreContent } from '../keystore/content.ts';
import type { Pass } from './pass.ts';

/** What is known of one token contract. */
export type TokenCode = { codeHash: string | null; domain: string | null };

export type TelegramBot = {
  username: string;
  mayJoinGroups: boolean;
  /** Whether every message of its groups is sent to it: group privacy is off. */
  readsAllMessages: boolean;
};
export type TelegramGroup = { isAdmin: boolean; mayWrite: boolean };

export type DiscordApplication = {
  id: string;
  /** Whether others may add it to their servers. */
  isPublic: boolean;
  /** Whether an invitation needs a sign-in that this service does not have. */
  needsCodeGrant: boolean;
  /** Whether servers can install it at all. */
  isForServers: boolean;
  /** What it may read besides what it needs, in Discord's words. */
  privileges: readonly string[];
};
/** `missing`: the rights that the bot lacks there, in Discord's words. */
export type DiscordServer = { id: string; missing: readonly string[] };

/** What a doctor asks the world. Each question throws where there is no usable answer. */
export type Asks = {
  evm: (
    network: EvmNetwork,
    url: string,
  ) => {
    chainId: () => Promise<number>;
    /** Of USDC there. `codeHash`: null where there is no code; `domain`: what it says its signatures are bound to. */
    token: () => Promise<TokenCode>;
    /** Whether there is code at the contract that batches are sent through. */
    hasMulticall: () => Promise<boolean>;
    balanceWei: (address: string) => Promise<bigint>;
    /** In micro-USDC. */
    usdc: (address: string) => Promise<bigint>;
    newest: () => Promise<{ seconds: number; baseFee: bigint }>;
  };
  solana: (url: string) => {
    genesisHash: () => Promise<string>;
    hasMint: () => Promise<boolean>;
    lamports: (address: string) => Promise<bigint>;
    /** In micro-USDC. */
    usdc: (address: string) => Promise<bigint>;
  };
  /** The address of a key in AWS KMS that would sign now. */
  kmsAddress: (keyId: string) => Promise<string>;
  /** Null without KEYSTORE. */
  keystore: () => KeystoreContent | null;
  /** The policy of all servers, or that it cannot be read. Throws for one that evicts. */
  redisPolicy: () => Promise<'noeviction' | 'untold'>;
  /**
   * `missing`: migrations that were not run yet; null: there is no database. `formers`: addresses that were replaced.
   * `inUse`: the others of ours, as the books have them.
   */
  database: () => Promise<{
    missing: number | null;
    stops: readonly string[];
    formers?: readonly FormerStanding[];
    inUse?: readonly InUse[];
  }>;
  /** How many owners of the console have a passkey; null: the database is not there, or not of this version. */
  owners: () => Promise<number | null>;
  /** How the newest copy in BACKUP_DIR opens; null: there is none. */
  newestBackup: () => Promise<{ name: string; atMs: number; isUsable: boolean } | null>;
  /** Whether both are on the same file system, and so probably on one disk. */
  isSameDisk: (one: string, other: string) => boolean;
  /** The status of a GET, without following redirects. */
  status: (url: string) => Promise<number>;
  /** Logs in at the mail server, and sends nothing. */
  mailServer: () => Promise<boolean>;
  /** Throws for a token that is refused. */
  telegramBot: () => Promise<TelegramBot>;
  /** Of the groups in which it was last seen to work. */
  telegramGroups: () => Promise<readonly TelegramGroup[]>;
  /** The application that the token belongs to. */
  discordApplication: () => Promise<DiscordApplication>;
  /** Those that the bot was added to. */
  discordServers: () => Promise<readonly DiscordServer[]>;
  /** Whether the bot knows the account that ALERT_CHAT names. */
  knowsAlertChat: () => Promise<boolean>;
  /** Lets the lists and the service answer one question about nobody; how many lines of the lists name nothing. */
  screening: () => Promise<{ entries: number; others: number; service: ScreeningVerdict | null }>;
  /** Names in `.env` and the environment that nothing reads. */
  strangeNames: () => readonly string[];
};

/** Those about the bots. */
export type BotAsks = Pick<
  Asks,
  'telegramBot' | 'telegramGroups' | 'discordApplication' | 'discordServers' | 'knowsAlertChat'
>;

export type World = {
  config: Config;
  roles: readonly Role[];
  asks: Asks;
  nowMs: number;
  /** The last one that was stored, for any configuration. */
  lastPass: Pass | null;
  /** When the operator says that a restore was tried last. */
  restoredAtMs: number | null;
};
