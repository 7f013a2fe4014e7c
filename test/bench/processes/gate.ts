/** What was measured, and whether it is what is wanted. */
export function gate(measured: string, holds: boolean, wanted: string): void {
  console.log(`${measured} (${wanted} is wanted: ${holds ? 'holds' : 'MISSED'})`);
}
