import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { listPersonalWallets } from '../../db/wallets/personal-wallets.ts';
import { writeWhole } from '../../local/processes/whole-file.ts';
import { readWalletSeed } from '../networks/keys.ts';
import {
  createWallets,
  formatWalletList,
  LIST_BYTES_MAX,
  readWalletList,
  toListedWallet,
  type ListedWallet,
  type Wallets,
} from '../recovery/wallet-list.ts';
import { Refused, takeWords, type OperatorCommand } from './command.ts';
import { countText } from './text.ts';

export const walletListCommand: OperatorCommand = {
  name: 'wallet-list',
  usage: '<file>',
  help: 'writes the ids and addresses of all personal wallets: with the seed’s words, all that is needed to empty them',
  run: async (context) => {
    const { file } = takeWords(context, 'file');
    const { config, store } = context;
    const wallets = createWallets(readWalletSeed(config), config.mode);
    const current = (await listPersonalWallets(store)).map((wallet) => toListedWallet(wallets, wallet));
    const list = [...new Map([...knownBefore(file, wallets), ...current].map((one) => [one.walletId, one])).values()];
    if (list.length === 0) throw new Refused('There is no personal wallet yet, so nothing was written.');
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    await writeWhole(file, formatWalletList(list));
    const lines = [
      `Wrote ${countText(list.length, 'wallet')} to ${file}. There is no key in it, but who uses this service: keep it to yourself.`,
      'Wallets that are opened later are not in it. Write it every day, and keep it apart from this machine.',
    ];
    return { data: { file, wallets: list.length }, lines };
  },
};

/** Keeps what the file has: written over by an empty database, it may be the last list there is. */
function knownBefore(file: string, wallets: Wallets): ListedWallet[] {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LIST_BYTES_MAX) throw new Refused(`${file} is larger than ${LIST_BYTES_MAX} bytes.`);
  return size === 0 ? [] : readWalletList(readFileSync(file, 'utf8'), wallets);
}
