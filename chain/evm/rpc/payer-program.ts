import { type Address, concatHex, type Hex, toFunctionSelector } from 'viem';

const STATE = toFunctionSelector('authorizationState(address,bytes32)');
const BALANCE = toFunctionSelector('balanceOf(address)');

/**
 * Code of a contract that is never deployed: an `eth_call` without a recipient runs it, and it answers a word for each
 * (address, nonce) appended to it. Bit 255: the token has the authorization as used. Bit 254: the address has code, which
 * is not run. Below: its balance. No answer begins with 0xef, which nodes refuse as code. Jumps: 0x11 next item, 0xbc
 * done, 0xc5 failed; 0xcb bytes in all.
 */
export function payerProgram(token: Address): Hex {
  return concatHex([
    // Copies the items to 0x80. Answers are written over items that were read, as they are shorter.
    '0x60cb3803', // codesize - 0xcb
    '0x8060cb608039', // codecopy(0x80, 0xcb, that)
    '0x60800160806080', // stack: end, out, in
    '0x5b8281101560bc57', // next: to done unless in < end
    '0x805160601c', // address = mload(in) >> 96
    ...callToken(token, STATE, '0x806004528160140151602452', '0x44'), // (address, mload(in + 20))
    '0x600051151560ff1b', // word = answer != 0 << 255
    '0x813b151560fe1b17', // word |= extcodesize(address) != 0 << 254
    ...callToken(token, BALANCE, '0x81600452', '0x24'), // (address)
    '0x60005160021b60021c17', // word |= answer without its two highest bits
    '0x835250', // mstore(out, word)
    '0x6034019060200190601156', // in += 52, out += 32, to next
    '0x5b50608090036080f3', // done: return(0x80, out - 0x80)
    '0x5b60006000fd', // failed: revert
  ]);
}

/** Fails unless the token answers a word, which lies at 0 then. `store` puts the arguments behind the selector. */
function callToken(token: Address, selector: Hex, store: Hex, size: Hex): Hex[] {
  return [
    concatHex(['0x63', selector, '0x60e01b600052']), // mstore(0, selector << 224)
    store,
    concatHex(['0x6020600060', size, '0x600073', token, '0x5afa']), // staticcall(gas, token, 0, size, 0, 32)
    '0x3d601f10161560c557', // to failed unless it succeeds with more than 31 bytes
  ];
}
