import { readSeedWords, SEED_WORDS, toSeedWords } from '../../chain/seed-words.ts';
import { seedBytes } from '../keystore/content.ts';
import { createKeystore, openKeystore, readKeystore, replaceKeystore } from '../keystore/file.ts';
import { Refused, UsageError } from './command.ts';
import { askApart, readArguments, type Host, type HostCommand, type HostTerminal } from './host.ts';
import { keystorePlace } from './keystore.ts';
import { timeText } from './text.ts';

const WORDS_ASKED = 3;
const COLUMNS = 4;

export const backupWordsCommand: HostCommand = {
  name: 'backup-words',
  usage: '[--again]',
  help: 'shows the 24 words of the seed of all personal wallets, once, to be written down on paper',
  run: async (host, args) => {
    const { values } = readArguments(args, { again: { type: 'boolean' } }, 0);
    const { terminal } = host;
    if (terminal === null) {
      throw new Refused('The words are shown to a person at a terminal only: a pipe or a log would keep them.');
    }
    const place = keystorePlace(host);
    const content = openKeystore(place);
    const seed = content.secrets.CHAT_WALLET_SEED;
    if (seed === undefined) throw new Refused('The keystore holds no CHAT_WALLET_SEED.');
    if (content.wordsConfirmedAtMs !== null && values.again !== true) {
      const when = timeText(content.wordsConfirmedAtMs);
      throw new Refused(`They were written down on ${when}. If that paper is lost, show them again with --again.`);
    }
    const words = toSeedWords(seedBytes(seed));
    await showWords(terminal, words);
    await askBack(terminal, words, host.random);
    const wordsConfirmedAtMs = host.now();
    replaceKeystore(place, { ...content, wordsConfirmedAtMs }, host);
    const lines = [
      'The backup of the words is noted as done. Keep the paper where neither fire nor a stranger finds both it and the keystore.',
      'To reach people’s money they need the list of wallets too: npm run operator -- wallet-list <file>, every day.',
    ];
    return { data: { wordsConfirmedAtMs }, lines };
  },
};

export const restoreWordsCommand: HostCommand = {
  name: 'restore-words',
  usage: '[--print]',
  help: 'reads the 24 words from the terminal or a pipe and puts the seed into KEYSTORE; with --print it shows the seed instead',
  run: async (host, args) => {
    const { values } = readArguments(args, { print: { type: 'boolean' } }, 0);
    const hex = Buffer.from(await readSeed(host)).toString('hex');
    if (values.print === true) return { data: { CHAT_WALLET_SEED: hex }, lines: [hex] };
    const place = keystorePlace(host);
    const known = readKeystore(place);
    if (known === null) {
      const content = { secrets: { CHAT_WALLET_SEED: hex }, wordsConfirmedAtMs: host.now() };
      if (!createKeystore(place, content, host))
        throw new Refused(`${place.path} appeared meanwhile and stays as it is.`);
      return {
        data: { file: place.path, seed: 'written' },
        lines: [`Wrote ${place.path}. It holds CHAT_WALLET_SEED, and no other key.`],
      };
    }
    const { CHAT_WALLET_SEED: kept } = known.secrets;
    if (kept === undefined) {
      replaceKeystore(
        place,
        { secrets: { ...known.secrets, CHAT_WALLET_SEED: hex }, wordsConfirmedAtMs: host.now() },
        host,
      );
      return {
        data: { file: place.path, seed: 'added' },
        lines: [`Put CHAT_WALLET_SEED beside the other keys in ${place.path}.`],
      };
    }
    if (Buffer.compare(seedBytes(kept), seedBytes(hex)) === 0)
      return { data: { file: place.path, seed: 'there' }, lines: ['The keystore holds exactly this seed already.'] };
    throw new Refused('The keystore holds another seed, and people’s money behind it. Nothing was changed.');
  },
};

/** The seed out of 24 words: typed by a person, else piped in. Never an argument, which the shell would remember. */
export async function readSeed(host: Host): Promise<Uint8Array> {
  const { terminal } = host;
  const text = terminal === null ? await host.readInput() : await askApart(terminal, [], `The ${SEED_WORDS} words: `);
  const read = readSeedWords(text);
  switch (read.kind) {
    case 'seed':
      return read.seed;
    case 'wrong-count':
      throw new UsageError(`There are ${SEED_WORDS} words; found ${read.found}.`);
    case 'unknown-word':
      throw new UsageError(`Word ${read.place} is none of those that are used for this (BIP-39, English).`);
    case 'wrong-checksum':
      throw new UsageError(
        'Each word is one, but together they have a wrong checksum: one is another, or two changed places.',
      );
  }
}

async function showWords(terminal: HostTerminal, words: readonly string[]): Promise<void> {
  const cells = words.map((word, index) => `${String(index + 1).padStart(2)}. ${word}`.padEnd(16));
  const rows = Array.from({ length: words.length / COLUMNS }, (_, row) =>
    cells.slice(row * COLUMNS, (row + 1) * COLUMNS).join(''),
  );
  const advice = [
    'Anyone who has these words can take the money of every personal wallet. Write them on paper, in this order.',
    'No photo, no file, no cloud. They fit no other wallet program.',
  ];
  await askApart(terminal, [...advice, '', ...rows], 'Press Enter when they stand on the paper; they disappear then. ');
}

/** Asks for a few of them, so that a backup that was never made is not recorded as done. */
async function askBack(terminal: HostTerminal, words: readonly string[], random: Host['random']): Promise<void> {
  const places = new Set<number>();
  // 24 divides 240: bytes from there on would make some places likelier.
  while (places.size < WORDS_ASKED) for (const byte of random(1)) if (byte < 240) places.add(byte % words.length);
  for (const place of [...places].sort((a, b) => a - b)) {
    const answer = await terminal.ask(`Word ${place + 1}: `);
    if (answer?.trim().toLowerCase() !== words[place]) {
      throw new Refused(`That is not word ${place + 1}. The backup is not noted as done; show the words once more.`);
    }
  }
}
