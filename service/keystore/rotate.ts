import { isKmsKey } from '../../core/config/keys.ts';
import { NETWORK_VARIABLES, type KeptName } from '../../core/config/networks.ts';
import type { Environment } from '../../core/config/variables.ts';
import { familyOf, NETWORKS, type Family } from '../../core/networks.ts';
import { readSecrets, type KeystoreContent } from './content.ts';
import { addressesOf, newKey } from './new-keys.ts';
import type { Random } from './sealed.ts';

export type Rotated = {
  content: KeystoreContent;
  former: KeptName;
  /** What was replaced, and by what; null: by a key that is set elsewhere. */
  replaced: string;
  address: string | null;
  /** The replaced key is in KMS, so its name stands in the environment. */
  wasInKms: boolean;
};

type Rotating = { environment: Environment; random: Random; isElsewhere: boolean; isCompromised: boolean };

/**
 * Puts the key of a treasury or task address at the end of its former ones and, unless another is set elsewhere, a new key
 * in its place. `isCompromised`: others may know the old one, so no proof may name its address. Throws a line that says why
 * not.
 */
export function rotateKey(
  content: KeystoreContent,
  text: string,
  { environment, random, isElsewhere, isCompromised }: Rotating,
): Rotated {
  const { name, former, family } = rotatingName(text);
  const inKms = environment[name]?.trim() ?? '';
  const old = content.secrets[name] ?? (isKmsKey(inKms) ? inKms : undefined);
  if (old === undefined) throw new Error(`There is no ${name} to be replaced, in KEYSTORE or in AWS KMS.`);
  const list = [...(content.secrets[former] ?? '').split(','), old].filter((one) => one !== '').join(',');
  const others = Object.fromEntries(Object.entries(content.secrets).filter(([kept]) => kept !== name));
  const key = isElsewhere ? null : newKey(family, random);
  const [replaced = ''] = addressesOf(name, old);
  const compromised = [content.secrets.COMPROMISED_ADDRESSES ?? [], isCompromised ? replaced : []].flat().join(',');
  const secrets = {
    ...others,
    [former]: list,
    ...(compromised === '' ? {} : { COMPROMISED_ADDRESSES: compromised }),
    ...(key === null ? {} : { [name]: key }),
  };
  readSecrets(secrets);
  const [address = null] = key === null ? [] : addressesOf(name, key);
  return { content: { ...content, secrets }, former, replaced, address, wasInKms: content.secrets[name] === undefined };
}

function rotatingName(text: string): { name: KeptName; former: KeptName; family: Family } {
  const all = NETWORKS.flatMap((network) => {
    const [names, family] = [NETWORK_VARIABLES[network], familyOf(network)];
    return [
      { name: names.treasuryKey, former: names.formerTreasuryKeys, family },
      { name: names.taskKey, former: names.formerTaskKeys, family },
    ];
  });
  const found = all.find(({ name }) => name === text);
  if (found !== undefined) return found;
  throw new Error(`These can be replaced: ${all.map(({ name }) => name).join(', ')}.`);
}
