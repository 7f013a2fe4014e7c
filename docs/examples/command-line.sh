# The key comes from the environment (PENNYPOST_BASE_KEY or PENNYPOST_SOLANA_KEY) or from an encrypted file.
pennypost send x:alice 0.25 --dry-run
pennypost send x:alice 0.25 --yes
