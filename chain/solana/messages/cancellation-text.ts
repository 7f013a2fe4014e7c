/** `network`: its name in x402 v2. `validBefore` in Unix seconds. */
export type SolanaCancellation = { network: string; txnId: number; validBefore: number };

/**
 * What a payer signs to take back an uncollected tip: text that a wallet shows unchanged. It names us, the network and
 * the payment, so no other service can mistake it for theirs. It cannot be a transaction, because those begin with a
 * small number.
 */
export function cancellationText({ network, txnId, validBefore }: SolanaCancellation): string {
  const until = new Date(validBefore * 1000).toISOString().replace('T', ' ').replace('.000Z', ' UTC');
  return [
    'pennypost: I take back a tip that nobody has collected.',
    '',
    `Payment: ${txnId}`,
    `Network: ${network}`,
    `Valid before: ${validBefore} (${until})`,
  ].join('\n');
}
