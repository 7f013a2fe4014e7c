import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { evmProfile } from '../../chain/evm/rpc/profile.ts';
import { createEvmRpc } from '../../chain/evm/rpc/rpc.ts';
import { askTokenCode } from '../../chain/evm/rpc/token-domain.ts';
import { openKms } from '../../chain/signing/kms/client.ts';
import { tryKmsKey } from '../../chain/signing/kms/keys.ts';
import { tokenAccountOf } from '../../chain/solana/messages/addresses.ts';
import { solanaProfile } from '../../chain/solana/messages/profile.ts';
import { createSolanaRpc } from '../../chain/solana/rpc/rpc.ts';
import type { Config } from '../../core/config/config.ts';
import { listAdmins } from '../../db/admins/admins.ts';
import { lastSeenCommunities } from '../../db/communities/last-seen.ts';
import { readInUse } from '../../db/rotations/rotation.ts';
import { readFormerStandings } from '../../db/rotations/standing.ts';
import { listStops } from '../../db/operator/stops.ts';
import { missingInPg, missingInSqlite } from '../../db/store/migrate.ts';
import { openExistingStore } from '../../db/store/open.ts';
import type { Store } from '../../db/store/store.ts';
import { createEmailProof } from '../../identity/proofs/email.ts';
import { askPolicy } from '../../queue/check.ts';
import { createMailTexts } from '../../texts/mail/mails.ts';
import { openKeystore } from '../keystore/file.ts';
import { stopText } from '../operator/stops.ts';
import { readRedisTls } from '../queue/redis-tls.ts';
import { watchList } from '../screening/lists.ts';
import { createAsk } from '../screening/screen.ts';
import { askBots } from './bot-asks.ts';
import type { Asks } from './world.ts';

const TIMEOUT_MS = 8_000;
const BACKUP = /^pennypost-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.sqlite$/;

/** Asks what is really there: nodes, servers, providers, files. */
export function realAsks(config: Config, strangeNames: () => readonly string[]): Asks {
  return {
    ...askChains(config),
    ...askStores(config),
    ...askOthers(config),
    ...askBots(config, () => groupsOnTelegram(config)),
    strangeNames,
    kmsAddress: (keyId) => tryKmsKey(openKms(), { keyId }),
    screening: () => askScreening(config),
    keystore: () => (config.keystore === undefined ? null : openKeystore(config.keystore)),
  };
}

function askChains({ mode }: Config): Pick<Asks, 'evm' | 'solana'> {
  return {
    evm: (network, url) => {
      const profile = evmProfile(network, mode);
      const rpc = createEvmRpc({ url, timeoutMs: TIMEOUT_MS, profile });
      return {
        chainId: () => rpc.chainId(),
        token: () => askTokenCode({ url, timeoutMs: TIMEOUT_MS }, profile),
        hasMulticall: async () => (await rpc.code([profile.multicall], 'latest')).every((code) => code !== '0x'),
        balanceWei: (address) => rpc.nativeBalance(address as `0x${string}`),
        usdc: (address) => rpc.balanceOf(address as `0x${string}`),
        newest: async () => {
          const { time, baseFee } = await rpc.latest();
          return { seconds: time, baseFee };
        },
      };
    },
    solana: (url) => {
      const profile = solanaProfile(mode);
      const rpc = createSolanaRpc({ url, timeoutMs: TIMEOUT_MS, profile, ownAccounts: [] });
      return {
        genesisHash: () => rpc.genesisHash(),
        hasMint: async () => (await rpc.ownerKinds([profile.usdc])).every((kind) => kind !== 'none'),
        lamports: (address) => rpc.lamports(address),
        usdc: async (address) => (await rpc.tokenBalance(tokenAccountOf(address, profile), 'confirmed'))?.amount ?? 0n,
      };
    },
  };
}

async function askScreening({ screening }: Config): ReturnType<Asks['screening']> {
  const read = await Promise.all(screening.lists.map((path) => watchList(path)()));
  const ask = createAsk({ ...screening, lists: [] });
  const question = { stage: 'payment', subject: 'doctor', accounts: [], names: [], amountMicroUsdc: null } as const;
  return {
    entries: read.reduce((sum, { entries }) => sum + entries.size, 0),
    others: read.reduce((sum, { others }) => sum + others, 0),
    service: ask === null ? null : (await ask(question)).verdict,
  };
}

type Stores = Pick<Asks, 'database' | 'owners' | 'redisPolicy' | 'newestBackup' | 'isSameDisk'>;

function askStores(config: Config): Stores {
  const { redisUrl, backups } = config;
  return {
    database: async () => {
      const missing = await missingIn(config);
      if (missing !== 0) return { missing, stops: [] };
      return inStore(config, async (store) => ({
        missing,
        stops: (await listStops(store)).map(stopText),
        formers: await readFormerStandings(store, Date.now()),
        inUse: await readInUse(store),
      }));
    },
    owners: async () => {
      if ((await missingIn(config)) !== 0) return null;
      const admins = await inStore(config, (store) => listAdmins(store, Date.now()));
      return admins.filter(({ role, canSignIn }) => role === 'owner' && canSignIn).length;
    },
    redisPolicy: async () => {
      if (redisUrl.kind === 'private') return 'noeviction';
      const url = redisUrl.kind === 'single' ? redisUrl.url : redisUrl.urls.join(',');
      return askPolicy({ url, tls: readRedisTls(config) });
    },
    newestBackup: async () => {
      const folder = backups.folder ?? '';
      const name = readdirSync(folder)
        .filter((one) => BACKUP.test(one))
        .toSorted()
        .at(-1);
      if (name === undefined) return null;
      const atMs = Date.parse(name.replace(BACKUP, '$1-$2-$3T$4:$5:$6Z'));
      return { name, atMs, isUsable: isReadable(join(folder, name)) };
    },
    isSameDisk: (one, other) => statSync(one).dev === statSync(other).dev,
  };
}

/** Each takes two questions to Telegram, one after the other. */
const GROUPS_MAX = 10;

/** A database that is away, or not of this version, is a finding of its own. */
async function groupsOnTelegram(config: Config): Promise<string[]> {
  if ((await missingIn(config).catch(() => null)) !== 0) return [];
  return inStore(config, (store) => lastSeenCommunities(store, 'telegram', GROUPS_MAX));
}

async function missingIn({ databaseUrl }: Config): Promise<number | null> {
  return databaseUrl.kind === 'sqlite' ? missingInSqlite(databaseUrl.path) : missingInPg(databaseUrl.url);
}

async function inStore<T>({ databaseUrl }: Config, ask: (store: Store) => Promise<T>): Promise<T> {
  const store = await openExistingStore(databaseUrl);
  try {
    return await ask(store);
  } finally {
    await store.close();
  }
}

function isReadable(file: string): boolean {
  try {
    return missingInSqlite(file) !== null;
  } catch {
    return false;
  }
}

function askOthers(config: Config): Pick<Asks, 'status' | 'mailServer'> {
  return {
    status: async (url) => {
      const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
      await answer.body?.cancel();
      return answer.status;
    },
    mailServer: async () => {
      const { smtpUrl = '', mailFrom: from = '' } = config.identity;
      const texts = createMailTexts({ operatorName: config.operator.name, supportUrl: undefined, baseUrl: '' });
      return createEmailProof(
        { smtpUrl, from },
        { texts, report: () => undefined, timeoutMs: TIMEOUT_MS },
      ).isReachable();
    },
  };
}
