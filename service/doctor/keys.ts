import { checkRoles, ConfigError } from '../../core/config/config.ts';
import { readKmsKey, type EvmKeyText } from '../../core/config/keys.ts';
import { keysOf } from '../../core/config/secrets.ts';
import { familyOf, inFamily, networkTitle, NETWORKS, type Network } from '../../core/networks.ts';
import type { FormerStanding } from '../../db/rotations/standing.ts';
import { openEvmKey, openSolanaKey } from '../networks/own-keys.ts';
import { formerText, usdcText } from '../operator/text.ts';
import { fine, looking, note, wrong, type Finding } from './finding.ts';
import type { World } from './world.ts';

/** Which keys there are, where they are, and whether people's money can be got back. */
export async function checkKeys(world: World): Promise<Finding[]> {
  const kept = [...(await checkKeystore(world)), ...(await checkKmsKeys(world))];
  return [...missingKeys(world), ...kept, ...(await checkReplacing(world))];
}

function missingKeys({ config, roles }: World): Finding[] {
  try {
    checkRoles(config, roles);
    return [fine('keys', `all that ${roles.join(', ')} need`)];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map(({ name, found, wanted }) =>
      wrong('keys', `${name} is ${found}: ${wanted}`, `set ${name}, or let npm run setup make it`),
    );
  }
}

async function checkKeystore({ config, asks }: World): Promise<readonly Finding[]> {
  const subject = 'keystore';
  const isReal = config.mode === 'mainnet';
  if (config.keystore === undefined) {
    const cure =
      'npm run operator -- keystore-create, then take the keys out of the environment and its files (docs/backup.md)';
    const text = 'the keys stand in the environment or in files, unencrypted';
    return [isReal ? wrong(subject, text, cure) : note(subject, text, cure)];
  }
  return looking(subject, 'check KEYSTORE and KEYSTORE_PASSWORD_FILE', async () => {
    const content = asks.keystore();
    if (content === null) throw new Error('it is not there');
    const names = Object.keys(content.secrets);
    const words =
      content.secrets.CHAT_WALLET_SEED === undefined || content.wordsConfirmedAtMs !== null
        ? fine('backup words', content.wordsConfirmedAtMs === null ? 'no seed, no words' : 'written down')
        : wrong(
            'backup words',
            'nobody has written down the words of CHAT_WALLET_SEED: with this file all personal wallets would be lost',
            'npm run operator -- backup-words',
          );
    return [fine(subject, `${names.length} kinds of keys`), words];
  });
}

/** Each that is in AWS KMS: that its address is the configured one, and that we may sign with it. */
async function checkKmsKeys({ config, asks }: World): Promise<Finding[]> {
  const references = NETWORKS.flatMap((network) => keysOf(config[network])).flatMap(
    (key = '') => readKmsKey(key) ?? [],
  );
  const found = references.map(({ keyId, address }) => {
    const subject = `key of ${address.slice(0, 10)}…`;
    const cure = `allow kms:Sign and kms:GetPublicKey on ${keyId}, and check that it is enabled`;
    return looking(subject, cure, async () => {
      const theirs = await asks.kmsAddress(keyId);
      if (theirs === address) return fine(subject, 'in AWS KMS, signs');
      return wrong(subject, `${keyId} is the key of ${theirs}`, `npm run operator -- kms-address ${keyId}`);
    });
  });
  return (await Promise.all(found)).flat();
}

/** A key that the next start puts in the place of another: what is at its address already would be in no book. */
async function checkReplacing({ config, asks }: World): Promise<Finding[]> {
  const subject = 'new address';
  const cure = 'check that the node of its network answers';
  const findings = await looking(subject, cure, async () => {
    // A database that is away is found by itself.
    const inUse = await asks.database().then(
      (found) => found.inUse ?? [],
      () => [],
    );
    const ofNetworks = config.networks.map(async (network) => {
      const { treasuryKey, taskKey, rpcUrl } = config[network];
      const ofRole = { treasury: treasuryKey, task: taskKey };
      const replaced = inUse
        .filter((one) => one.network === network)
        .flatMap(({ role, address }) => {
          const key = ofRole[role];
          const next = key === undefined ? address : addressOf(network, key);
          return next === address ? [] : [next];
        });
      return Promise.all(
        replaced.map(async (address) => {
          const there = rpcUrl === undefined ? 0n : await usdcAt(asks, network, rpcUrl, address);
          if (there === 0n) return fine(subject, `${address} is empty`);
          return wrong(
            subject,
            `${usdcText(there)} are at ${address} already, in no book of the service`,
            'move them away first, or replace the key by another one (docs/keys.md)',
          );
        }),
      );
    });
    return (await Promise.all(ofNetworks)).flat();
  });
  return [...findings];
}

function addressOf(network: Network, key: string): string {
  switch (familyOf(network)) {
    case 'evm':
      return openEvmKey(key as EvmKeyText).address;
    case 'svm':
      return openSolanaKey(key).address;
  }
}

function usdcAt(asks: World['asks'], network: Network, rpcUrl: string, address: string): Promise<bigint> {
  const place = inFamily(network);
  switch (place.family) {
    case 'evm':
      return asks.evm(place.network, rpcUrl).usdc(address);
    case 'svm':
      return asks.solana(rpcUrl).usdc(address);
  }
}

/** Addresses that were replaced are ours for ever: without its key what still comes to one is lost. */
export function formerFindings({ config }: World, formers: readonly FormerStanding[]): Finding[] {
  return formers.map((former) => {
    const { network, address } = former;
    const subject = `${networkTitle(network, null)}, former address`;
    const own = keysOf(config[network]).flatMap((key) => (key === undefined ? [] : [addressOf(network, key)]));
    if (!own.includes(address)) {
      const cure =
        'put its key back into the list of former keys: the service does not start without it (docs/keys.md)';
      return wrong(subject, `the key of ${address} is not here`, cure);
    }
    const text = formerText(former);
    return former.isRetired
      ? fine(subject, text)
      : note(subject, text, 'keep a worker running; nothing else is needed');
  });
}
