import { listCommands } from './commands.ts';

export const HELP = `pennypost: send USDC to anyone by the name they already go by

${listCommands()}

The price is shown and agreed to before anything is signed.
  -y, --yes               agree beforehand; needed where nobody can be asked
  --dry-run               show the price, sign nothing
  --json                  answer with one JSON object
  --note <text>           what it is for
  --max-fee <usdc>        refuse a higher fee (0.05)
  --max-call <usdc>       refuse a payment that costs more (no limit; mcp: 1)
  --max-day <usdc>        refuse what would pass this in a day, UTC (no limit; mcp: 10)

Where, and with which key:
  --url <address>         the service; PENNYPOST_URL (http://127.0.0.1:8402)
  --network <network>     base, solana, or polygon where a service offers it (not tried on its real chain yet);
                          default: the first one that there is a key for
  --testnet               Base Sepolia, Solana devnet, Polygon Amoy
  --solana-rpc <address>  a Solana node, for payments there; PENNYPOST_SOLANA_RPC_URL
  --password-file <path>  holds the password of the key file; PENNYPOST_PASSWORD_FILE
  --key-file <path>       key import: holds the private key
  --play <payers.json>    play money, from the file that local mode writes
  --from <address>        which of the play-money payers
A key can also be in PENNYPOST_BASE_KEY, PENNYPOST_POLYGON_KEY (0x…) or PENNYPOST_SOLANA_KEY (base58). Limits:
PENNYPOST_MAX_CALL and PENNYPOST_MAX_DAY. Keys, payments and what init writes are kept in PENNYPOST_HOME (~/.pennypost).

Ends with 0: paid (or what was asked for is done) · 1: refused, nothing is charged · 2: wrong usage ·
3: not known yet whether it was paid; it is never paid twice, so run the same again, or pennypost resume`;
