import { accessSync, constants } from 'node:fs';
import { expect, test } from 'vitest';
import { findAnvil } from '../../../local/evm/anvil-command.ts';

test('the program of this platform is installed and may be run', () => {
  expect(() => accessSync(findAnvil(), constants.X_OK)).not.toThrow();
});

test('a platform without the program is told which package is missing, in one line', () => {
  expect(() => findAnvil('sunos', 'mips')).toThrow(
    /^the local EVM chain needs the npm package @foundry-rs\/anvil-sunos-mips, which is not installed: run npm install$/,
  );
});
