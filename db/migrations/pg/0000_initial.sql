CREATE TABLE "accepted_givers" (
	"user_id" text NOT NULL,
	"giver_id" text NOT NULL,
	"since_ms" bigint NOT NULL,
	CONSTRAINT "accepted_givers_user_id_giver_id_pk" PRIMARY KEY("user_id","giver_id")
);
--> statement-breakpoint
CREATE TABLE "account_openings" (
	"network" text NOT NULL,
	"owner" text NOT NULL,
	"person" text NOT NULL,
	"carrier_id" text NOT NULL,
	"at_ms" bigint NOT NULL,
	CONSTRAINT "account_openings_network_owner_pk" PRIMARY KEY("network","owner")
);
--> statement-breakpoint
CREATE TABLE "accounts" (
	"name" text PRIMARY KEY NOT NULL,
	"unit" text NOT NULL,
	"side" text NOT NULL,
	"balance" bigint NOT NULL,
	"balance_wei" text NOT NULL,
	CONSTRAINT "accounts_never_overdrawn" CHECK (("accounts"."side" = 'signed') or ("accounts"."side" = 'asset' and "accounts"."balance" >= 0) or ("accounts"."side" = 'liability' and "accounts"."balance" <= 0))
);
--> statement-breakpoint
CREATE TABLE "admin_invites" (
	"name" text PRIMARY KEY NOT NULL,
	"link_hash" text NOT NULL,
	"role" text NOT NULL,
	"expires_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "admin_passkeys" (
	"id" text PRIMARY KEY NOT NULL,
	"admin" text NOT NULL,
	"public_key" text NOT NULL,
	"counter" bigint NOT NULL,
	"transports" json NOT NULL,
	"created_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "admin_sessions" (
	"cookie_hash" text PRIMARY KEY NOT NULL,
	"admin" text NOT NULL,
	"challenge_hash" text NOT NULL,
	"created_at_ms" bigint NOT NULL,
	"seen_at_ms" bigint NOT NULL,
	"ends_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "admins" (
	"name" text PRIMARY KEY NOT NULL,
	"role" text NOT NULL,
	"created_at_ms" bigint NOT NULL,
	"removed_at_ms" bigint
);
--> statement-breakpoint
CREATE TABLE "audit_checkpoints" (
	"name" text PRIMARY KEY NOT NULL,
	"entry_id" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_feed" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"key" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audited_balances" (
	"account" text PRIMARY KEY NOT NULL,
	"amount" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "blocked_payers" (
	"identity_id" text NOT NULL,
	"payer" text NOT NULL,
	"created_at_ms" bigint NOT NULL,
	"returned_at_ms" bigint,
	CONSTRAINT "blocked_payers_identity_id_payer_pk" PRIMARY KEY("identity_id","payer")
);
--> statement-breakpoint
CREATE TABLE "bot_messages" (
	"transport" text NOT NULL,
	"key" text NOT NULL,
	"chat_id" text NOT NULL,
	"event_id" text,
	"user_id" text,
	"language" text,
	"reacts_to" bigint,
	"rush_id" text,
	"is_quiet" boolean NOT NULL,
	"lifetime_seconds" bigint,
	"expires_at_ms" bigint,
	"view" json,
	"revision" bigint NOT NULL,
	"pending_since_ms" bigint,
	"shown_at_ms" bigint,
	"doubt_until_ms" bigint,
	"tried_hash" text,
	"shown_hash" text,
	"message_id" text,
	"person_place" text,
	"person_message_id" bigint,
	"is_renewed" boolean NOT NULL,
	"created_at_ms" bigint NOT NULL,
	CONSTRAINT "bot_messages_transport_key_pk" PRIMARY KEY("transport","key")
);
--> statement-breakpoint
CREATE TABLE "carrier_items" (
	"carrier_id" text NOT NULL,
	"item_id" text NOT NULL,
	CONSTRAINT "carrier_items_carrier_id_item_id_pk" PRIMARY KEY("carrier_id","item_id")
);
--> statement-breakpoint
CREATE TABLE "carrier_transactions" (
	"hash" text PRIMARY KEY NOT NULL,
	"carrier_id" text NOT NULL,
	"bytes" text NOT NULL,
	"max_fee_per_gas" text,
	"max_priority_fee_per_gas" text,
	"signed_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "carriers" (
	"id" text PRIMARY KEY NOT NULL,
	"network" text NOT NULL,
	"kind" text NOT NULL,
	"status" text NOT NULL,
	"sender" text NOT NULL,
	"lane_nonce" bigint,
	"calldata" text,
	"gas_limit" bigint,
	"last_valid_height" bigint,
	"sealed_transaction" text,
	"sealed_block" bigint,
	"sealed_block_hash" text,
	"fee_wei" text,
	"created_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "chat_buttons" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"action" text NOT NULL,
	"wallet_id" text,
	"withdrawal" json,
	"said" json,
	"order_id" text,
	"claim_id" text,
	"language" text,
	"txn_id" bigint,
	"treasury_id" text,
	"reward_id" text,
	"request_id" text,
	"drop_id" text,
	"list_hash" text,
	"pressed_by_event" text,
	"created_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "chat_events" (
	"transport" text NOT NULL,
	"id" text NOT NULL,
	"body" json,
	"received_at_ms" bigint NOT NULL,
	"done_at_ms" bigint,
	CONSTRAINT "chat_events_transport_id_pk" PRIMARY KEY("transport","id")
);
--> statement-breakpoint
CREATE TABLE "chat_files" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"kind" text NOT NULL,
	"wallet_id" text,
	"language" text,
	"until_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "chat_messages" (
	"id" text PRIMARY KEY NOT NULL,
	"chat_id" text NOT NULL,
	"author" text NOT NULL,
	"view" json NOT NULL,
	"once_key" text,
	"position" bigint NOT NULL,
	"revision" bigint NOT NULL,
	"created_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "chat_users" (
	"id" text PRIMARY KEY NOT NULL,
	"transport" text NOT NULL,
	"wallet_address" text NOT NULL,
	"funded_at_ms" bigint,
	"chosen_wallet_id" text,
	"chosen_at_ms" bigint,
	"language" text,
	"created_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "chats" (
	"id" text PRIMARY KEY NOT NULL,
	"last_revision" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "claim_lines" (
	"claim_id" text NOT NULL,
	"txn_id" bigint NOT NULL,
	CONSTRAINT "claim_lines_claim_id_txn_id_pk" PRIMARY KEY("claim_id","txn_id")
);
--> statement-breakpoint
CREATE TABLE "claims" (
	"id" text PRIMARY KEY NOT NULL,
	"platform" text NOT NULL,
	"key" text NOT NULL,
	"display" text NOT NULL,
	"payout" json NOT NULL,
	"method" text NOT NULL,
	"status" text NOT NULL,
	"language" text,
	"browser_id" text,
	"proof" json,
	"tries" bigint NOT NULL,
	"receipt_slug" text,
	"identity_id" text,
	"proven_key" text,
	"confirm_hash" text,
	"reject_reason" text,
	"created_at_ms" bigint NOT NULL,
	"expires_at_ms" bigint NOT NULL,
	"verified_at_ms" bigint,
	"ended_at_ms" bigint
);
--> statement-breakpoint
CREATE TABLE "closing_wallets" (
	"id" text PRIMARY KEY NOT NULL,
	"wallet_id" text NOT NULL,
	"found_micro_usdc" bigint,
	"is_leaving" boolean NOT NULL,
	"looked_at_ms" bigint,
	"next_look_at_ms" bigint NOT NULL,
	"told_at_ms" bigint
);
--> statement-breakpoint
CREATE TABLE "code_mails" (
	"link_hash" text PRIMARY KEY NOT NULL,
	"address" text NOT NULL,
	"sent_at_ms" bigint NOT NULL,
	"browser_id" text
);
--> statement-breakpoint
CREATE TABLE "community_answers" (
	"transport" text NOT NULL,
	"community_id" text NOT NULL,
	"user_id" text NOT NULL,
	"message_id" text NOT NULL,
	"by_id" text NOT NULL,
	CONSTRAINT "community_answers_transport_community_id_user_id_message_id_pk" PRIMARY KEY("transport","community_id","user_id","message_id")
);
--> statement-breakpoint
CREATE TABLE "community_bans" (
	"transport" text NOT NULL,
	"community_id" text NOT NULL,
	"user_id" text NOT NULL,
	"banned_by" text NOT NULL,
	"created_at_ms" bigint NOT NULL,
	CONSTRAINT "community_bans_transport_community_id_user_id_pk" PRIMARY KEY("transport","community_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "community_people" (
	"transport" text NOT NULL,
	"community_id" text NOT NULL,
	"user_id" text NOT NULL,
	"username" text,
	"name" text,
	"is_bot" boolean NOT NULL,
	"first_seen_at_ms" bigint NOT NULL,
	"seen_at_ms" bigint NOT NULL,
	CONSTRAINT "community_people_transport_community_id_user_id_pk" PRIMARY KEY("transport","community_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "community_settings" (
	"transport" text NOT NULL,
	"community_id" text NOT NULL,
	"settings" json NOT NULL,
	"revision" bigint NOT NULL,
	"changed_by" text NOT NULL,
	"changed_at_ms" bigint NOT NULL,
	CONSTRAINT "community_settings_transport_community_id_pk" PRIMARY KEY("transport","community_id")
);
--> statement-breakpoint
CREATE TABLE "community_tips" (
	"transport" text NOT NULL,
	"community_id" text NOT NULL,
	"user_id" text NOT NULL,
	"last_tip_at_ms" bigint NOT NULL,
	CONSTRAINT "community_tips_transport_community_id_user_id_pk" PRIMARY KEY("transport","community_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "counters" (
	"name" text PRIMARY KEY NOT NULL,
	"used" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "day_rates" (
	"currency" text NOT NULL,
	"day" text NOT NULL,
	"worth_micro_usdc" bigint NOT NULL,
	CONSTRAINT "day_rates_currency_day_pk" PRIMARY KEY("currency","day")
);
--> statement-breakpoint
CREATE TABLE "deposit_watches" (
	"wallet_id" text NOT NULL,
	"network" text NOT NULL,
	"address" text NOT NULL,
	"since_ms" bigint NOT NULL,
	"block" bigint,
	CONSTRAINT "deposit_watches_wallet_id_network_pk" PRIMARY KEY("wallet_id","network")
);
--> statement-breakpoint
CREATE TABLE "distributions" (
	"id" text PRIMARY KEY NOT NULL,
	"secret_hash" text NOT NULL,
	"platform" text NOT NULL,
	"content_id" text NOT NULL,
	"post_url" text NOT NULL,
	"author_id" text NOT NULL,
	"author_name" text,
	"excerpt" text NOT NULL,
	"published_at_ms" bigint NOT NULL,
	"budget_micro_usdc" bigint NOT NULL,
	"weights" json NOT NULL,
	"recipients_max" bigint NOT NULL,
	"shares" json NOT NULL,
	"left_out" json NOT NULL,
	"rejected_at_ms" bigint,
	"tried_at_ms" bigint,
	"caller" text,
	"created_at_ms" bigint NOT NULL,
	"expires_at_ms" bigint NOT NULL,
	CONSTRAINT "distributions_caller_untried" CHECK ("distributions"."caller" IS NULL OR "distributions"."tried_at_ms" IS NULL)
);
--> statement-breakpoint
CREATE TABLE "doubtful_payers" (
	"network" text NOT NULL,
	"payer" text NOT NULL,
	"fact" text NOT NULL,
	CONSTRAINT "doubtful_payers_network_payer_fact_pk" PRIMARY KEY("network","payer","fact")
);
--> statement-breakpoint
CREATE TABLE "drop_confirmations" (
	"drop_id" text NOT NULL,
	"user_id" text NOT NULL,
	"list_hash" text NOT NULL,
	"confirmed_at_ms" bigint NOT NULL,
	CONSTRAINT "drop_confirmations_drop_id_user_id_pk" PRIMARY KEY("drop_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "drop_takers" (
	"drop_id" text NOT NULL,
	"user_id" text NOT NULL,
	"position" bigint NOT NULL,
	"names" json NOT NULL,
	"is_struck" boolean NOT NULL,
	CONSTRAINT "drop_takers_drop_id_user_id_pk" PRIMARY KEY("drop_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "drops" (
	"id" text PRIMARY KEY NOT NULL,
	"event_key" text NOT NULL,
	"transport" text NOT NULL,
	"community_id" text NOT NULL,
	"chat_id" text NOT NULL,
	"message_id" text,
	"language" text,
	"giver_id" text NOT NULL,
	"wallet_id" text,
	"is_one_enough" boolean,
	"is_lone" boolean,
	"amount_micro_usdc" bigint NOT NULL,
	"people" bigint NOT NULL,
	"role" json,
	"status" text NOT NULL,
	"end_reason" text,
	"order_id" text,
	"created_at_ms" bigint NOT NULL,
	"closes_at_ms" bigint NOT NULL,
	"ends_at_ms" bigint NOT NULL,
	"next_look_at_ms" bigint,
	CONSTRAINT "drops_amount_positive" CHECK ("drops"."amount_micro_usdc" > 0 AND "drops"."people" > 1),
	CONSTRAINT "drops_agreed_order" CHECK (("drops"."status" = 'agreed') = ("drops"."order_id" IS NOT NULL))
);
--> statement-breakpoint
CREATE TABLE "entries" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"cause" text NOT NULL,
	"created_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "erased_answers" (
	"payment_id" text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE "event_deliveries" (
	"id" text PRIMARY KEY NOT NULL,
	"endpoint_id" text NOT NULL,
	"payment_id" text,
	"task_id" text,
	"type" text NOT NULL,
	"txn_ids" json NOT NULL,
	"at_ms" bigint NOT NULL,
	"is_sealed" boolean NOT NULL,
	"failures" bigint NOT NULL,
	"next_at_ms" bigint,
	"last_answer" text,
	"ended_at_ms" bigint,
	"outcome" text
);
--> statement-breakpoint
CREATE TABLE "event_endpoints" (
	"id" text PRIMARY KEY NOT NULL,
	"network" text,
	"payer" text,
	"task_id" text,
	"push" json,
	"url" text NOT NULL,
	"created_at_ms" bigint NOT NULL,
	"consent_at_ms" bigint,
	"used_at_ms" bigint,
	"delivered_at_ms" bigint,
	"ended_at_ms" bigint,
	"end_reason" text,
	CONSTRAINT "event_endpoints_owner" CHECK (("event_endpoints"."task_id" IS NULL) = ("event_endpoints"."payer" IS NOT NULL))
);
--> statement-breakpoint
CREATE TABLE "expiring_messages" (
	"transport" text NOT NULL,
	"chat_id" text NOT NULL,
	"message_id" text NOT NULL,
	"due_at_ms" bigint NOT NULL,
	CONSTRAINT "expiring_messages_transport_chat_id_message_id_pk" PRIMARY KEY("transport","chat_id","message_id")
);
--> statement-breakpoint
CREATE TABLE "heartbeats" (
	"name" text PRIMARY KEY NOT NULL,
	"at_ms" bigint NOT NULL,
	"detail" json NOT NULL
);
--> statement-breakpoint
CREATE TABLE "high_water_marks" (
	"holder" text PRIMARY KEY NOT NULL,
	"mark" bigint NOT NULL,
	"seen_mark" bigint
);
--> statement-breakpoint
CREATE TABLE "holdings" (
	"name" text PRIMARY KEY NOT NULL,
	"process" text NOT NULL,
	"epoch" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"payer" text NOT NULL,
	"key" text NOT NULL,
	"request_hash" text NOT NULL,
	"payment_id" text NOT NULL,
	CONSTRAINT "idempotency_keys_payer_key_pk" PRIMARY KEY("payer","key")
);
--> statement-breakpoint
CREATE TABLE "identities" (
	"id" text PRIMARY KEY NOT NULL,
	"platform" text NOT NULL,
	"stable_id" text NOT NULL,
	"key" text NOT NULL,
	"display" text NOT NULL,
	"since_ms" bigint,
	"opted_out_at_ms" bigint,
	"language" text,
	"notices_off_at_ms" bigint,
	"created_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "kept_answers" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"view" json NOT NULL,
	"until_ms" bigint NOT NULL,
	"taken_by_event" text
);
--> statement-breakpoint
CREATE TABLE "known_recipients" (
	"user_id" text NOT NULL,
	"recipient" text NOT NULL,
	"since_ms" bigint NOT NULL,
	CONSTRAINT "known_recipients_user_id_recipient_pk" PRIMARY KEY("user_id","recipient")
);
--> statement-breakpoint
CREATE TABLE "lines" (
	"txn_id" bigint PRIMARY KEY NOT NULL,
	"payment_id" text NOT NULL,
	"position" bigint NOT NULL,
	"identity_id" text NOT NULL,
	"platform" text NOT NULL,
	"receiver" text NOT NULL,
	"recipient_key" text NOT NULL,
	"display" text NOT NULL,
	"amount_micro_usdc" bigint NOT NULL,
	"note" text,
	"status" text NOT NULL,
	"payout_id" text,
	"return_reason" text,
	"slug" text NOT NULL,
	"public_slug" text NOT NULL,
	"expires_at_ms" bigint NOT NULL,
	CONSTRAINT "lines_amount_positive" CHECK ("lines"."amount_micro_usdc" > 0)
);
--> statement-breakpoint
CREATE TABLE "lookups" (
	"txn_id" bigint PRIMARY KEY NOT NULL,
	"payment_id" text NOT NULL,
	"platform" text NOT NULL,
	"next_try_at_ms" bigint NOT NULL,
	"tries" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "lost_inbounds" (
	"fact" text PRIMARY KEY NOT NULL,
	"network" text NOT NULL,
	"payer" text NOT NULL,
	"amount_micro_usdc" bigint NOT NULL,
	"paid_micro_usdc" bigint NOT NULL,
	"state" text NOT NULL,
	"held_reason" text,
	"at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "message_tasks" (
	"id" text PRIMARY KEY NOT NULL,
	"context_id" text NOT NULL,
	"is_our_context" boolean NOT NULL,
	"skill_id" text NOT NULL,
	"params" json NOT NULL,
	"opened_by" text NOT NULL,
	"payment_id" text,
	"generation" bigint,
	"refusals" json NOT NULL,
	"canceled_at_ms" bigint,
	"created_at_ms" bigint NOT NULL,
	"expires_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "money_requests" (
	"id" text PRIMARY KEY NOT NULL,
	"bill_id" text,
	"event_key" text NOT NULL,
	"transport" text NOT NULL,
	"chat_id" text NOT NULL,
	"message_id" text,
	"language" text,
	"asker_id" text NOT NULL,
	"asked_id" text NOT NULL,
	"amount_micro_usdc" bigint NOT NULL,
	"reason" text,
	"status" text NOT NULL,
	"order_id" text,
	"created_at_ms" bigint NOT NULL,
	"ends_at_ms" bigint NOT NULL,
	"next_look_at_ms" bigint,
	CONSTRAINT "money_requests_amount_positive" CHECK ("money_requests"."amount_micro_usdc" > 0),
	CONSTRAINT "money_requests_agreed_order" CHECK (("money_requests"."status" = 'agreed') = ("money_requests"."order_id" IS NOT NULL))
);
--> statement-breakpoint
CREATE TABLE "native_costs" (
	"transaction" text NOT NULL,
	"item_id" text NOT NULL,
	"kind" text NOT NULL,
	"network" text NOT NULL,
	"day" text NOT NULL,
	"payer" text,
	"recipient" text,
	"amount" text NOT NULL,
	CONSTRAINT "native_costs_transaction_item_id_kind_pk" PRIMARY KEY("transaction","item_id","kind")
);
--> statement-breakpoint
CREATE TABLE "notices" (
	"identity_id" text NOT NULL,
	"kind" text NOT NULL,
	"until_ms" bigint NOT NULL,
	"sent_at_ms" bigint NOT NULL,
	CONSTRAINT "notices_identity_id_kind_pk" PRIMARY KEY("identity_id","kind")
);
--> statement-breakpoint
CREATE TABLE "observed_transfers" (
	"fact" text PRIMARY KEY NOT NULL,
	"network" text NOT NULL,
	"transaction" text NOT NULL,
	"log_index" bigint NOT NULL,
	"block" bigint NOT NULL,
	"block_hash" text NOT NULL,
	"from_address" text NOT NULL,
	"to_address" text NOT NULL,
	"amount_micro_usdc" bigint NOT NULL,
	"authorizer" text,
	"nonce" text,
	"memo" text,
	"outgoing" boolean NOT NULL,
	"landed" boolean NOT NULL,
	"landings" bigint NOT NULL,
	"consumed_by" text,
	"return_wanted" boolean NOT NULL,
	"seen_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "operator_actions" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"who" text NOT NULL,
	"command" text NOT NULL,
	"arguments" json NOT NULL,
	"result" text NOT NULL,
	"at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "operator_addresses" (
	"network" text NOT NULL,
	"address" text NOT NULL,
	"since_ms" bigint NOT NULL,
	CONSTRAINT "operator_addresses_network_address_pk" PRIMARY KEY("network","address")
);
--> statement-breakpoint
CREATE TABLE "orders" (
	"id" text PRIMARY KEY NOT NULL,
	"transport" text NOT NULL,
	"event_id" text NOT NULL,
	"chat_id" text NOT NULL,
	"message_id" text NOT NULL,
	"community_id" text,
	"user_id" text NOT NULL,
	"wallet_id" text NOT NULL,
	"wallet_name" text,
	"network" text NOT NULL,
	"payer_address" text NOT NULL,
	"route" text NOT NULL,
	"body" json NOT NULL,
	"tipped_message_id" text,
	"recipient" text NOT NULL,
	"amount_micro_usdc" bigint NOT NULL,
	"lines" json,
	"total_micro_usdc" bigint,
	"agreed_micro_usdc" bigint,
	"counted_micro_usdc" bigint,
	"passkey_id" text,
	"status" text NOT NULL,
	"via_link" boolean,
	"header" text,
	"valid_before" bigint,
	"last_valid_height" bigint,
	"txn_id" bigint,
	"receipt" text,
	"results" json,
	"failure" text,
	"failed_line" bigint,
	"language" text,
	"erased_at_ms" bigint,
	"undone_at_ms" bigint,
	"shown_at_ms" bigint,
	"news_count" bigint DEFAULT 0 NOT NULL,
	"created_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "outbox" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"topic" text NOT NULL,
	"key" text NOT NULL,
	"next_at_ms" bigint NOT NULL,
	"tries" bigint NOT NULL,
	"done_at_ms" bigint
);
--> statement-breakpoint
CREATE TABLE "passkeys" (
	"id" text PRIMARY KEY NOT NULL,
	"wallet_id" text NOT NULL,
	"identity_id" text NOT NULL,
	"public_key" text NOT NULL,
	"counter" bigint NOT NULL,
	"transports" json NOT NULL,
	"added_by" text NOT NULL,
	"created_at_ms" bigint NOT NULL,
	"holds_from_ms" bigint NOT NULL,
	"ends_at_ms" bigint
);
--> statement-breakpoint
CREATE TABLE "pay_link_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "pay_links" (
	"order_id" text PRIMARY KEY NOT NULL,
	"status" text NOT NULL,
	"until_ms" bigint NOT NULL,
	"task_id" text,
	"terms" json,
	"header" text,
	"refusal" text,
	"shown_at_ms" bigint,
	"next_look_at_ms" bigint,
	"created_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payer_loads" (
	"payer" text PRIMARY KEY NOT NULL,
	"unsettled" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"id" text PRIMARY KEY NOT NULL,
	"network" text NOT NULL,
	"payer" text NOT NULL,
	"payer_account" text,
	"nonce" text NOT NULL,
	"pay_to" text NOT NULL,
	"valid_after" bigint NOT NULL,
	"valid_before" bigint NOT NULL,
	"signature" text NOT NULL,
	"operation" text NOT NULL,
	"request_hash" text NOT NULL,
	"idempotency_key" text,
	"sum_micro_usdc" bigint NOT NULL,
	"fee_micro_usdc" bigint NOT NULL,
	"cost_micro_usdc" bigint NOT NULL,
	"cost_prepaid" bigint NOT NULL,
	"description" text,
	"meta" json,
	"agent_known" boolean NOT NULL,
	"payer_reference" text,
	"status" text NOT NULL,
	"reject_reason" text,
	"carrier_id" text,
	"next_try_at_ms" bigint NOT NULL,
	"tries" bigint NOT NULL,
	"delivery" text NOT NULL,
	"answer" json,
	"landed_transaction" text,
	"landed_block" bigint,
	"landed_address" text,
	"created_at_ms" bigint NOT NULL,
	"reserved_at_ms" bigint NOT NULL,
	"settled_at_ms" bigint,
	"bound" boolean NOT NULL,
	"landed_before" boolean NOT NULL,
	"endpoint_id" text,
	CONSTRAINT "payments_sum_positive" CHECK ("payments"."sum_micro_usdc" > 0),
	CONSTRAINT "payments_fee_positive" CHECK ("payments"."fee_micro_usdc" >= 0)
);
--> statement-breakpoint
CREATE TABLE "payout_settings" (
	"name" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "postings" (
	"entry_id" bigint NOT NULL,
	"position" bigint NOT NULL,
	"account" text NOT NULL,
	"unit" text NOT NULL,
	"amount" bigint NOT NULL,
	"amount_wei" text NOT NULL,
	CONSTRAINT "postings_entry_id_position_pk" PRIMARY KEY("entry_id","position")
);
--> statement-breakpoint
CREATE TABLE "processes" (
	"id" text PRIMARY KEY NOT NULL,
	"roles" text NOT NULL,
	"address" text NOT NULL,
	"pid" bigint NOT NULL,
	"epoch" bigint NOT NULL,
	"beat_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "proofs" (
	"network" text NOT NULL,
	"payer" text NOT NULL,
	"nonce" text NOT NULL,
	"payload_hash" text NOT NULL,
	"request_hash" text NOT NULL,
	"payment_id" text NOT NULL,
	"alias" boolean NOT NULL,
	"claimed_at_ms" bigint NOT NULL,
	CONSTRAINT "proofs_network_payer_nonce_pk" PRIMARY KEY("network","payer","nonce")
);
--> statement-breakpoint
CREATE TABLE "purchases" (
	"order_id" text PRIMARY KEY NOT NULL,
	"payment_id" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "quiet_people" (
	"user_id" text PRIMARY KEY NOT NULL,
	"since_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "quiet_tips" (
	"txn_id" bigint PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"giver_id" text NOT NULL,
	"line_id" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "reconciliations" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"noticed_at_ms" bigint NOT NULL,
	"at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "refunds" (
	"id" text PRIMARY KEY NOT NULL,
	"network" text NOT NULL,
	"payer" text NOT NULL,
	"payer_account" text,
	"account" text NOT NULL,
	"from_address" text NOT NULL,
	"amount_micro_usdc" bigint NOT NULL,
	"payment_id" text,
	"txn_id" bigint,
	"held_reason" text,
	"payout_id" text,
	"created_at_ms" bigint NOT NULL,
	CONSTRAINT "refunds_amount_positive" CHECK ("refunds"."amount_micro_usdc" > 0)
);
--> statement-breakpoint
CREATE TABLE "reports" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"reason" text NOT NULL,
	"words" text,
	"reporter" text NOT NULL,
	"share" text NOT NULL,
	"created_at_ms" bigint NOT NULL,
	"closed_at_ms" bigint
);
--> statement-breakpoint
CREATE TABLE "request_choices" (
	"user_id" text NOT NULL,
	"other_id" text NOT NULL,
	"is_allowed" boolean NOT NULL,
	"created_at_ms" bigint NOT NULL,
	CONSTRAINT "request_choices_user_id_other_id_pk" PRIMARY KEY("user_id","other_id")
);
--> statement-breakpoint
CREATE TABLE "restored_cursors" (
	"network" text PRIMARY KEY NOT NULL,
	"block" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "reward_cards" (
	"id" text PRIMARY KEY NOT NULL,
	"request_key" text NOT NULL,
	"distribution_id" text NOT NULL,
	"wallet_id" text NOT NULL,
	"transport" text NOT NULL,
	"community_id" text NOT NULL,
	"chat_id" text NOT NULL,
	"message_id" text,
	"language" text,
	"proposed_by" text NOT NULL,
	"post" text NOT NULL,
	"excluded" json NOT NULL,
	"preview" json NOT NULL,
	"budget_micro_usdc" bigint NOT NULL,
	"total_micro_usdc" bigint NOT NULL,
	"cost_max_micro_usdc" bigint NOT NULL,
	"cost_micro_usdc" bigint,
	"status" text NOT NULL,
	"is_one_enough" boolean,
	"is_lone" boolean,
	"network" text,
	"payer_address" text,
	"via_link" boolean,
	"refusal" text,
	"header" text,
	"valid_before" bigint,
	"last_valid_height" bigint,
	"failure" text,
	"counts" json,
	"ended_by" text,
	"created_at_ms" bigint NOT NULL,
	"expires_at_ms" bigint NOT NULL,
	"ended_at_ms" bigint,
	"paid_at_ms" bigint,
	"next_look_at_ms" bigint,
	CONSTRAINT "reward_cards_amounts_positive" CHECK ("reward_cards"."budget_micro_usdc" > 0 AND "reward_cards"."total_micro_usdc" >= "reward_cards"."budget_micro_usdc" AND "reward_cards"."cost_max_micro_usdc" >= 0)
);
--> statement-breakpoint
CREATE TABLE "reward_confirmations" (
	"card_id" text NOT NULL,
	"user_id" text NOT NULL,
	"confirmed_at_ms" bigint NOT NULL,
	CONSTRAINT "reward_confirmations_card_id_user_id_pk" PRIMARY KEY("card_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "rushes" (
	"id" text PRIMARY KEY NOT NULL,
	"transport" text NOT NULL,
	"chat_id" text NOT NULL,
	"language" text,
	"last_tip_at_ms" bigint NOT NULL,
	"next_look_at_ms" bigint
);
--> statement-breakpoint
CREATE TABLE "scan_cursors" (
	"network" text PRIMARY KEY NOT NULL,
	"first_block" bigint NOT NULL,
	"block" bigint NOT NULL,
	"block_hash" text NOT NULL,
	"block_time" bigint NOT NULL,
	"safe_block" bigint NOT NULL,
	"finalized_block" bigint NOT NULL,
	"task_signature" text
);
--> statement-breakpoint
CREATE TABLE "scanned_blocks" (
	"network" text NOT NULL,
	"number" bigint NOT NULL,
	"hash" text NOT NULL,
	CONSTRAINT "scanned_blocks_network_number_pk" PRIMARY KEY("network","number")
);
--> statement-breakpoint
CREATE TABLE "screenings" (
	"stage" text NOT NULL,
	"subject" text NOT NULL,
	"verdict" text NOT NULL,
	"source" text NOT NULL,
	"detail" text,
	"passes" boolean NOT NULL,
	"at_ms" bigint NOT NULL,
	"until_ms" bigint,
	CONSTRAINT "screenings_stage_subject_pk" PRIMARY KEY("stage","subject")
);
--> statement-breakpoint
CREATE TABLE "seals" (
	"entry_id" bigint PRIMARY KEY NOT NULL,
	"hash" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "signing_stops" (
	"reason" text NOT NULL,
	"network" text NOT NULL,
	"detail" text NOT NULL,
	"since_ms" bigint NOT NULL,
	CONSTRAINT "signing_stops_reason_network_pk" PRIMARY KEY("reason","network")
);
--> statement-breakpoint
CREATE TABLE "spending_locks" (
	"id" text PRIMARY KEY NOT NULL,
	"locked_by" text NOT NULL,
	"locked_at_ms" bigint NOT NULL,
	"until_ms" bigint
);
--> statement-breakpoint
CREATE TABLE "stamps" (
	"name" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "task_loads" (
	"caller" text PRIMARY KEY NOT NULL,
	"unpaid" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "task_offers" (
	"task_id" text NOT NULL,
	"network" text NOT NULL,
	"address" text NOT NULL,
	"price_micro_usdc" bigint NOT NULL,
	"amount_micro_usdc" bigint NOT NULL,
	"head_block" bigint NOT NULL,
	"until_block" bigint,
	"reused" boolean NOT NULL,
	CONSTRAINT "task_offers_task_id_network_pk" PRIMARY KEY("task_id","network"),
	CONSTRAINT "task_offers_extra_positive" CHECK ("task_offers"."amount_micro_usdc" > "task_offers"."price_micro_usdc")
);
--> statement-breakpoint
CREATE TABLE "tasks" (
	"id" text PRIMARY KEY NOT NULL,
	"skill" text NOT NULL,
	"operation" text NOT NULL,
	"platform" text NOT NULL,
	"params" json NOT NULL,
	"request_hash" text NOT NULL,
	"memo" text NOT NULL,
	"caller" text,
	"agent_known" boolean NOT NULL,
	"status" text NOT NULL,
	"sum_micro_usdc" bigint NOT NULL,
	"fee_micro_usdc" bigint NOT NULL,
	"refund_addresses" json NOT NULL,
	"claim_ttl_ms" bigint NOT NULL,
	"created_at_ms" bigint NOT NULL,
	"expires_at_ms" bigint NOT NULL,
	"reserved_until_ms" bigint NOT NULL,
	"payment_id" text
);
--> statement-breakpoint
CREATE TABLE "tip_pages" (
	"identity_id" text PRIMARY KEY NOT NULL,
	"words" text,
	"until_ms" bigint,
	"barred_at_ms" bigint
);
--> statement-breakpoint
CREATE TABLE "tip_summaries" (
	"transport" text NOT NULL,
	"chat_id" text NOT NULL,
	"tipped_message_id" text NOT NULL,
	"message_id" text NOT NULL,
	CONSTRAINT "tip_summaries_transport_chat_id_tipped_message_id_pk" PRIMARY KEY("transport","chat_id","tipped_message_id")
);
--> statement-breakpoint
CREATE TABLE "top_members" (
	"transport" text NOT NULL,
	"community_id" text NOT NULL,
	"user_id" text NOT NULL,
	"since_ms" bigint NOT NULL,
	CONSTRAINT "top_members_transport_community_id_user_id_pk" PRIMARY KEY("transport","community_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "transfers" (
	"id" text PRIMARY KEY NOT NULL,
	"network" text NOT NULL,
	"purpose" text NOT NULL,
	"source_account" text,
	"cross_from" text,
	"from_address" text NOT NULL,
	"to_address" text NOT NULL,
	"to_account" text,
	"amount_micro_usdc" bigint NOT NULL,
	"generation" bigint NOT NULL,
	"status" text NOT NULL,
	"held_reason" text,
	"compared_at_ms" bigint,
	"former_loss_at_ms" bigint,
	"former_nonce_at_ms" bigint,
	"counted_on" text,
	"nonce" text,
	"valid_before" bigint,
	"signature" text,
	"carrier_id" text,
	"next_try_at_ms" bigint NOT NULL,
	"tries" bigint NOT NULL,
	"exposed" boolean NOT NULL,
	"landed_transaction" text,
	"landed_block" bigint,
	"created_at_ms" bigint NOT NULL,
	CONSTRAINT "transfers_amount_positive" CHECK ("transfers"."amount_micro_usdc" > 0)
);
--> statement-breakpoint
CREATE TABLE "treasuries" (
	"wallet_id" text PRIMARY KEY NOT NULL,
	"transport" text NOT NULL,
	"community_id" text NOT NULL,
	"looked_at_ms" bigint NOT NULL,
	"created_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "treasury_addresses" (
	"id" text PRIMARY KEY NOT NULL,
	"request_key" text NOT NULL,
	"wallet_id" text NOT NULL,
	"network" text NOT NULL,
	"address" text NOT NULL,
	"set_by" text NOT NULL,
	"transport" text NOT NULL,
	"chat_id" text NOT NULL,
	"message_id" text,
	"language" text,
	"set_at_ms" bigint NOT NULL,
	"announced_at_ms" bigint,
	"cancelled_by" text,
	"cancelled_at_ms" bigint
);
--> statement-breakpoint
CREATE TABLE "treasury_confirmations" (
	"withdrawal_id" text NOT NULL,
	"user_id" text NOT NULL,
	"role" text NOT NULL,
	"confirmed_at_ms" bigint NOT NULL,
	CONSTRAINT "treasury_confirmations_withdrawal_id_user_id_pk" PRIMARY KEY("withdrawal_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "treasury_deposits" (
	"wallet_id" text NOT NULL,
	"network" text NOT NULL,
	"total_micro_usdc" bigint NOT NULL,
	"seen_at_ms" bigint NOT NULL,
	CONSTRAINT "treasury_deposits_wallet_id_network_total_micro_usdc_pk" PRIMARY KEY("wallet_id","network","total_micro_usdc")
);
--> statement-breakpoint
CREATE TABLE "treasury_withdrawals" (
	"id" text PRIMARY KEY NOT NULL,
	"request_key" text NOT NULL,
	"wallet_id" text NOT NULL,
	"address_id" text NOT NULL,
	"network" text NOT NULL,
	"to_address" text NOT NULL,
	"amount_micro_usdc" bigint NOT NULL,
	"status" text NOT NULL,
	"proposed_by" text NOT NULL,
	"transport" text NOT NULL,
	"community_id" text NOT NULL,
	"chat_id" text NOT NULL,
	"message_id" text,
	"language" text,
	"is_owner_alone" boolean,
	"ended_by" text,
	"created_at_ms" bigint NOT NULL,
	"ended_at_ms" bigint,
	CONSTRAINT "treasury_withdrawals_amount_positive" CHECK ("treasury_withdrawals"."amount_micro_usdc" > 0)
);
--> statement-breakpoint
CREATE TABLE "waiting_responses" (
	"id" text PRIMARY KEY NOT NULL,
	"payment_id" text NOT NULL,
	"process" text NOT NULL,
	"epoch" bigint NOT NULL,
	"state" text NOT NULL,
	"asked" bigint NOT NULL,
	"renewed" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "wallet_changes" (
	"identity_id" text NOT NULL,
	"network" text NOT NULL,
	"address" text NOT NULL,
	"source" text NOT NULL,
	"claim_id" text NOT NULL,
	"effective_at_ms" bigint NOT NULL,
	CONSTRAINT "wallet_changes_identity_id_network_pk" PRIMARY KEY("identity_id","network")
);
--> statement-breakpoint
CREATE TABLE "wallet_deposits" (
	"network" text NOT NULL,
	"transaction" text NOT NULL,
	"place" bigint NOT NULL,
	"wallet_id" text NOT NULL,
	"amount_micro_usdc" bigint NOT NULL,
	"at_ms" bigint NOT NULL,
	CONSTRAINT "wallet_deposits_wallet_id_network_transaction_place_pk" PRIMARY KEY("wallet_id","network","transaction","place")
);
--> statement-breakpoint
CREATE TABLE "wallet_holders" (
	"holder_id" text NOT NULL,
	"wallet_id" text NOT NULL,
	"identity_id" text NOT NULL,
	"name" text NOT NULL,
	"since_ms" bigint NOT NULL,
	"spends_from_ms" bigint NOT NULL,
	"looks_from_ms" bigint NOT NULL,
	CONSTRAINT "wallet_holders_holder_id_wallet_id_pk" PRIMARY KEY("holder_id","wallet_id")
);
--> statement-breakpoint
CREATE TABLE "wallet_limits" (
	"wallet_id" text PRIMARY KEY NOT NULL,
	"limits" json NOT NULL,
	"revision" bigint NOT NULL,
	"changed_by" text NOT NULL,
	"changed_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "wallet_withdrawals" (
	"id" text PRIMARY KEY NOT NULL,
	"holder_id" text NOT NULL,
	"request_key" text NOT NULL,
	"wallet_id" text NOT NULL,
	"network" text NOT NULL,
	"from_address" text NOT NULL,
	"to_address" text NOT NULL,
	"to_treasury" text,
	"amount_micro_usdc" bigint NOT NULL,
	"passkey_id" text,
	"status" text NOT NULL,
	"failure" text,
	"created_at_ms" bigint NOT NULL,
	"not_before_ms" bigint NOT NULL,
	"notified_at_ms" bigint,
	"counted_on" text,
	"called_off_at_ms" bigint,
	"ended_at_ms" bigint,
	CONSTRAINT "withdrawals_amount_positive" CHECK ("wallet_withdrawals"."amount_micro_usdc" > 0)
);
--> statement-breakpoint
CREATE TABLE "wallets" (
	"identity_id" text NOT NULL,
	"network" text NOT NULL,
	"address" text NOT NULL,
	"source" text NOT NULL,
	"linked_at_ms" bigint NOT NULL,
	"used_at_ms" bigint NOT NULL,
	"full_until_ms" bigint,
	CONSTRAINT "wallets_identity_id_network_pk" PRIMARY KEY("identity_id","network")
);
--> statement-breakpoint
CREATE TABLE "withdrawal_messages" (
	"withdrawal_id" text PRIMARY KEY NOT NULL,
	"transport" text NOT NULL,
	"chat_id" text NOT NULL,
	"message_id" text NOT NULL,
	"language" text
);
--> statement-breakpoint
CREATE INDEX "accepted_givers_giver_idx" ON "accepted_givers" USING btree ("giver_id");--> statement-breakpoint
CREATE UNIQUE INDEX "account_openings_person_uq" ON "account_openings" USING btree ("network","person");--> statement-breakpoint
CREATE INDEX "account_openings_carrier_idx" ON "account_openings" USING btree ("carrier_id");--> statement-breakpoint
CREATE INDEX "accounts_holding_idx" ON "accounts" USING btree ("name") WHERE "accounts"."balance" <> 0;--> statement-breakpoint
CREATE UNIQUE INDEX "admin_passkeys_admin_uq" ON "admin_passkeys" USING btree ("admin");--> statement-breakpoint
CREATE UNIQUE INDEX "admin_sessions_challenge_uq" ON "admin_sessions" USING btree ("challenge_hash");--> statement-breakpoint
CREATE INDEX "admin_sessions_admin_idx" ON "admin_sessions" USING btree ("admin");--> statement-breakpoint
CREATE INDEX "admin_sessions_created_idx" ON "admin_sessions" USING btree ("created_at_ms");--> statement-breakpoint
CREATE INDEX "blocked_payers_returned_idx" ON "blocked_payers" USING btree ("returned_at_ms");--> statement-breakpoint
CREATE INDEX "bot_messages_pending_idx" ON "bot_messages" USING btree ("transport","pending_since_ms");--> statement-breakpoint
CREATE INDEX "bot_messages_created_idx" ON "bot_messages" USING btree ("transport","created_at_ms");--> statement-breakpoint
CREATE INDEX "bot_messages_shown_idx" ON "bot_messages" USING btree ("transport","shown_at_ms");--> statement-breakpoint
CREATE INDEX "bot_messages_rush_idx" ON "bot_messages" USING btree ("rush_id");--> statement-breakpoint
CREATE INDEX "carrier_items_item_idx" ON "carrier_items" USING btree ("item_id");--> statement-breakpoint
CREATE INDEX "carrier_transactions_carrier_idx" ON "carrier_transactions" USING btree ("carrier_id");--> statement-breakpoint
CREATE UNIQUE INDEX "carriers_lane_nonce_uq" ON "carriers" USING btree ("network","sender","lane_nonce");--> statement-breakpoint
CREATE INDEX "carriers_status_idx" ON "carriers" USING btree ("network","status");--> statement-breakpoint
CREATE INDEX "chat_buttons_action_idx" ON "chat_buttons" USING btree ("action","created_at_ms");--> statement-breakpoint
CREATE INDEX "chat_events_done_idx" ON "chat_events" USING btree ("transport","done_at_ms","received_at_ms");--> statement-breakpoint
CREATE UNIQUE INDEX "chat_messages_once_uq" ON "chat_messages" USING btree ("chat_id","once_key");--> statement-breakpoint
CREATE INDEX "chat_messages_chat_idx" ON "chat_messages" USING btree ("chat_id","revision");--> statement-breakpoint
CREATE INDEX "chat_users_wallet_idx" ON "chat_users" USING btree ("wallet_address");--> statement-breakpoint
CREATE INDEX "claim_lines_txn_idx" ON "claim_lines" USING btree ("txn_id");--> statement-breakpoint
CREATE INDEX "claims_identity_idx" ON "claims" USING btree ("identity_id","status");--> statement-breakpoint
CREATE INDEX "claims_browser_idx" ON "claims" USING btree ("browser_id","created_at_ms");--> statement-breakpoint
CREATE INDEX "claims_expiry_idx" ON "claims" USING btree ("expires_at_ms");--> statement-breakpoint
CREATE INDEX "closing_wallets_next_idx" ON "closing_wallets" USING btree ("next_look_at_ms");--> statement-breakpoint
CREATE INDEX "code_mails_address_idx" ON "code_mails" USING btree ("address","sent_at_ms");--> statement-breakpoint
CREATE INDEX "code_mails_sent_idx" ON "code_mails" USING btree ("sent_at_ms");--> statement-breakpoint
CREATE INDEX "community_answers_user_idx" ON "community_answers" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "community_people_name_idx" ON "community_people" USING btree ("transport","username");--> statement-breakpoint
CREATE INDEX "community_people_user_idx" ON "community_people" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "community_people_seen_idx" ON "community_people" USING btree ("seen_at_ms");--> statement-breakpoint
CREATE INDEX "deposit_watches_block_idx" ON "deposit_watches" USING btree ("network","block");--> statement-breakpoint
CREATE INDEX "distributions_untried_idx" ON "distributions" USING btree ("expires_at_ms") WHERE "distributions"."tried_at_ms" IS NULL;--> statement-breakpoint
CREATE INDEX "distributions_caller_idx" ON "distributions" USING btree ("caller","expires_at_ms") WHERE "distributions"."caller" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "drop_confirmations_user_idx" ON "drop_confirmations" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "drop_takers_position_uq" ON "drop_takers" USING btree ("drop_id","position");--> statement-breakpoint
CREATE INDEX "drop_takers_user_idx" ON "drop_takers" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "drops_event_uq" ON "drops" USING btree ("event_key");--> statement-breakpoint
CREATE INDEX "drops_giver_idx" ON "drops" USING btree ("giver_id","created_at_ms");--> statement-breakpoint
CREATE INDEX "drops_wallet_idx" ON "drops" USING btree ("wallet_id","status");--> statement-breakpoint
CREATE INDEX "drops_order_idx" ON "drops" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "drops_look_idx" ON "drops" USING btree ("next_look_at_ms","created_at_ms");--> statement-breakpoint
CREATE UNIQUE INDEX "entries_cause_uq" ON "entries" USING btree ("cause");--> statement-breakpoint
CREATE INDEX "event_deliveries_due_idx" ON "event_deliveries" USING btree ("next_at_ms") WHERE "event_deliveries"."next_at_ms" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "event_deliveries_endpoint_idx" ON "event_deliveries" USING btree ("endpoint_id","next_at_ms") WHERE "event_deliveries"."next_at_ms" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "event_deliveries_payment_idx" ON "event_deliveries" USING btree ("payment_id","type");--> statement-breakpoint
CREATE INDEX "event_deliveries_task_idx" ON "event_deliveries" USING btree ("task_id") WHERE "event_deliveries"."task_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "event_deliveries_undelivered_idx" ON "event_deliveries" USING btree ("ended_at_ms") WHERE "event_deliveries"."outcome" <> 'delivered';--> statement-breakpoint
CREATE INDEX "event_endpoints_payer_idx" ON "event_endpoints" USING btree ("payer","network") WHERE "event_endpoints"."ended_at_ms" IS NULL;--> statement-breakpoint
CREATE INDEX "event_endpoints_unused_idx" ON "event_endpoints" USING btree ("created_at_ms") WHERE "event_endpoints"."used_at_ms" IS NULL;--> statement-breakpoint
CREATE INDEX "event_endpoints_task_idx" ON "event_endpoints" USING btree ("task_id") WHERE "event_endpoints"."task_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "event_endpoints_consent_idx" ON "event_endpoints" USING btree ("url","consent_at_ms") WHERE "event_endpoints"."consent_at_ms" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "expiring_messages_due_idx" ON "expiring_messages" USING btree ("transport","due_at_ms");--> statement-breakpoint
CREATE INDEX "holdings_process_idx" ON "holdings" USING btree ("process");--> statement-breakpoint
CREATE UNIQUE INDEX "identities_stable_uq" ON "identities" USING btree ("platform","stable_id");--> statement-breakpoint
CREATE INDEX "identities_key_idx" ON "identities" USING btree ("platform","key");--> statement-breakpoint
CREATE INDEX "kept_answers_until_idx" ON "kept_answers" USING btree ("until_ms");--> statement-breakpoint
CREATE INDEX "kept_answers_user_idx" ON "kept_answers" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "lines_slug_uq" ON "lines" USING btree ("slug");--> statement-breakpoint
CREATE UNIQUE INDEX "lines_public_slug_uq" ON "lines" USING btree ("public_slug");--> statement-breakpoint
CREATE INDEX "lines_recipient_idx" ON "lines" USING btree ("platform","recipient_key","amount_micro_usdc");--> statement-breakpoint
CREATE UNIQUE INDEX "lines_position_uq" ON "lines" USING btree ("payment_id","position");--> statement-breakpoint
CREATE INDEX "lines_status_idx" ON "lines" USING btree ("status","expires_at_ms");--> statement-breakpoint
CREATE INDEX "lines_identity_idx" ON "lines" USING btree ("identity_id","status","expires_at_ms");--> statement-breakpoint
CREATE INDEX "lines_payout_idx" ON "lines" USING btree ("payout_id");--> statement-breakpoint
CREATE INDEX "lookups_payment_idx" ON "lookups" USING btree ("payment_id");--> statement-breakpoint
CREATE INDEX "lookups_due_idx" ON "lookups" USING btree ("next_try_at_ms");--> statement-breakpoint
CREATE INDEX "lost_inbounds_payer_idx" ON "lost_inbounds" USING btree ("payer");--> statement-breakpoint
CREATE INDEX "message_tasks_context_idx" ON "message_tasks" USING btree ("context_id","created_at_ms");--> statement-breakpoint
CREATE INDEX "message_tasks_expiry_idx" ON "message_tasks" USING btree ("payment_id","expires_at_ms");--> statement-breakpoint
CREATE INDEX "message_tasks_opener_idx" ON "message_tasks" USING btree ("opened_by","payment_id","expires_at_ms");--> statement-breakpoint
CREATE UNIQUE INDEX "money_requests_event_uq" ON "money_requests" USING btree ("event_key","asked_id");--> statement-breakpoint
CREATE INDEX "money_requests_asker_idx" ON "money_requests" USING btree ("asker_id","created_at_ms");--> statement-breakpoint
CREATE INDEX "money_requests_asked_idx" ON "money_requests" USING btree ("asked_id","created_at_ms");--> statement-breakpoint
CREATE INDEX "money_requests_bill_idx" ON "money_requests" USING btree ("bill_id");--> statement-breakpoint
CREATE INDEX "money_requests_look_idx" ON "money_requests" USING btree ("next_look_at_ms","created_at_ms");--> statement-breakpoint
CREATE INDEX "native_costs_day_idx" ON "native_costs" USING btree ("network","day");--> statement-breakpoint
CREATE INDEX "native_costs_payer_idx" ON "native_costs" USING btree ("payer","day");--> statement-breakpoint
CREATE INDEX "observed_transfers_block_idx" ON "observed_transfers" USING btree ("network","block");--> statement-breakpoint
CREATE INDEX "observed_transfers_nonce_idx" ON "observed_transfers" USING btree ("network","authorizer","nonce");--> statement-breakpoint
CREATE INDEX "observed_transfers_open_idx" ON "observed_transfers" USING btree ("network","block") WHERE "observed_transfers"."consumed_by" is null;--> statement-breakpoint
CREATE INDEX "observed_transfers_transaction_idx" ON "observed_transfers" USING btree ("network","transaction");--> statement-breakpoint
CREATE INDEX "observed_transfers_consumer_idx" ON "observed_transfers" USING btree ("consumed_by");--> statement-breakpoint
CREATE INDEX "observed_transfers_booked_idx" ON "observed_transfers" USING btree ("network","to_address","block","log_index") WHERE "observed_transfers"."consumed_by" is not null;--> statement-breakpoint
CREATE INDEX "observed_transfers_taken_idx" ON "observed_transfers" USING btree ("network","from_address","block") WHERE "observed_transfers"."outgoing" = true and "observed_transfers"."consumed_by" like 'taken%';--> statement-breakpoint
CREATE UNIQUE INDEX "orders_event_uq" ON "orders" USING btree ("transport","event_id");--> statement-breakpoint
CREATE INDEX "orders_txn_idx" ON "orders" USING btree ("txn_id");--> statement-breakpoint
CREATE INDEX "orders_open_idx" ON "orders" USING btree ("shown_at_ms","created_at_ms");--> statement-breakpoint
CREATE INDEX "orders_tipped_idx" ON "orders" USING btree ("transport","chat_id","tipped_message_id");--> statement-breakpoint
CREATE INDEX "orders_user_idx" ON "orders" USING btree ("user_id","created_at_ms");--> statement-breakpoint
CREATE INDEX "orders_wallet_idx" ON "orders" USING btree ("wallet_id","status");--> statement-breakpoint
CREATE INDEX "orders_counted_idx" ON "orders" USING btree ("status","counted_micro_usdc");--> statement-breakpoint
CREATE UNIQUE INDEX "outbox_key_uq" ON "outbox" USING btree ("topic","key");--> statement-breakpoint
CREATE INDEX "outbox_open_idx" ON "outbox" USING btree ("done_at_ms","next_at_ms");--> statement-breakpoint
CREATE INDEX "passkeys_wallet_idx" ON "passkeys" USING btree ("wallet_id");--> statement-breakpoint
CREATE INDEX "pay_link_keys_order_idx" ON "pay_link_keys" USING btree ("order_id");--> statement-breakpoint
CREATE UNIQUE INDEX "pay_links_task_uq" ON "pay_links" USING btree ("task_id");--> statement-breakpoint
CREATE INDEX "pay_links_look_idx" ON "pay_links" USING btree ("next_look_at_ms");--> statement-breakpoint
CREATE INDEX "payments_status_idx" ON "payments" USING btree ("status","carrier_id","next_try_at_ms");--> statement-breakpoint
CREATE INDEX "payments_join_idx" ON "payments" USING btree ("payer","request_hash","reserved_at_ms");--> statement-breakpoint
CREATE INDEX "payments_payer_idx" ON "payments" USING btree ("payer","created_at_ms");--> statement-breakpoint
CREATE INDEX "payments_carrier_idx" ON "payments" USING btree ("carrier_id");--> statement-breakpoint
CREATE INDEX "payments_landed_idx" ON "payments" USING btree ("landed_transaction");--> statement-breakpoint
CREATE INDEX "payments_refused_idx" ON "payments" USING btree ("nonce") WHERE "payments"."reject_reason" is not null;--> statement-breakpoint
CREATE INDEX "postings_account_idx" ON "postings" USING btree ("account");--> statement-breakpoint
CREATE INDEX "proofs_payment_idx" ON "proofs" USING btree ("payment_id");--> statement-breakpoint
CREATE INDEX "purchases_payment_idx" ON "purchases" USING btree ("payment_id");--> statement-breakpoint
CREATE INDEX "quiet_tips_line_idx" ON "quiet_tips" USING btree ("line_id");--> statement-breakpoint
CREATE INDEX "quiet_tips_user_idx" ON "quiet_tips" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "quiet_tips_giver_idx" ON "quiet_tips" USING btree ("giver_id");--> statement-breakpoint
CREATE INDEX "refunds_open_idx" ON "refunds" USING btree ("network","payout_id","payer");--> statement-breakpoint
CREATE INDEX "refunds_payment_idx" ON "refunds" USING btree ("payment_id");--> statement-breakpoint
CREATE INDEX "refunds_payout_idx" ON "refunds" USING btree ("payout_id");--> statement-breakpoint
CREATE INDEX "refunds_txn_idx" ON "refunds" USING btree ("txn_id");--> statement-breakpoint
CREATE UNIQUE INDEX "reports_reporter_uq" ON "reports" USING btree ("kind","subject","reporter");--> statement-breakpoint
CREATE INDEX "reports_caller_idx" ON "reports" USING btree ("reporter","created_at_ms");--> statement-breakpoint
CREATE INDEX "reports_created_idx" ON "reports" USING btree ("created_at_ms");--> statement-breakpoint
CREATE INDEX "reports_open_idx" ON "reports" USING btree ("closed_at_ms","created_at_ms");--> statement-breakpoint
CREATE UNIQUE INDEX "reward_cards_request_uq" ON "reward_cards" USING btree ("request_key");--> statement-breakpoint
CREATE UNIQUE INDEX "reward_cards_distribution_uq" ON "reward_cards" USING btree ("distribution_id");--> statement-breakpoint
CREATE INDEX "reward_cards_wallet_idx" ON "reward_cards" USING btree ("wallet_id","status");--> statement-breakpoint
CREATE INDEX "reward_cards_look_idx" ON "reward_cards" USING btree ("next_look_at_ms");--> statement-breakpoint
CREATE INDEX "rushes_place_idx" ON "rushes" USING btree ("transport","chat_id","next_look_at_ms");--> statement-breakpoint
CREATE INDEX "rushes_look_idx" ON "rushes" USING btree ("transport","next_look_at_ms");--> statement-breakpoint
CREATE INDEX "rushes_tip_idx" ON "rushes" USING btree ("last_tip_at_ms");--> statement-breakpoint
CREATE INDEX "screenings_verdict_idx" ON "screenings" USING btree ("verdict","at_ms");--> statement-breakpoint
CREATE UNIQUE INDEX "task_offers_amount_uq" ON "task_offers" USING btree ("network","amount_micro_usdc") WHERE "task_offers"."until_block" is null;--> statement-breakpoint
CREATE INDEX "task_offers_amount_idx" ON "task_offers" USING btree ("network","amount_micro_usdc");--> statement-breakpoint
CREATE INDEX "task_offers_reused_idx" ON "task_offers" USING btree ("reused","until_block");--> statement-breakpoint
CREATE INDEX "task_offers_price_idx" ON "task_offers" USING btree ("network","price_micro_usdc");--> statement-breakpoint
CREATE UNIQUE INDEX "tasks_memo_uq" ON "tasks" USING btree ("memo");--> statement-breakpoint
CREATE INDEX "tasks_status_idx" ON "tasks" USING btree ("status","expires_at_ms");--> statement-breakpoint
CREATE INDEX "tasks_reserved_idx" ON "tasks" USING btree ("reserved_until_ms");--> statement-breakpoint
CREATE INDEX "tasks_caller_idx" ON "tasks" USING btree ("caller","expires_at_ms");--> statement-breakpoint
CREATE UNIQUE INDEX "tasks_payment_uq" ON "tasks" USING btree ("payment_id");--> statement-breakpoint
CREATE INDEX "top_members_user_idx" ON "top_members" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "transfers_status_idx" ON "transfers" USING btree ("status","network","carrier_id","next_try_at_ms");--> statement-breakpoint
CREATE INDEX "transfers_exposed_idx" ON "transfers" USING btree ("network","exposed") WHERE "transfers"."exposed" = true;--> statement-breakpoint
CREATE INDEX "transfers_carrier_idx" ON "transfers" USING btree ("carrier_id");--> statement-breakpoint
CREATE INDEX "transfers_nonce_idx" ON "transfers" USING btree ("network","nonce");--> statement-breakpoint
CREATE INDEX "transfers_cross_idx" ON "transfers" USING btree ("cross_from","status");--> statement-breakpoint
CREATE INDEX "transfers_to_idx" ON "transfers" USING btree ("to_address","created_at_ms");--> statement-breakpoint
CREATE INDEX "transfers_counted_idx" ON "transfers" USING btree ("counted_on");--> statement-breakpoint
CREATE INDEX "treasuries_looked_idx" ON "treasuries" USING btree ("looked_at_ms");--> statement-breakpoint
CREATE UNIQUE INDEX "treasury_addresses_request_uq" ON "treasury_addresses" USING btree ("request_key");--> statement-breakpoint
CREATE INDEX "treasury_addresses_wallet_idx" ON "treasury_addresses" USING btree ("wallet_id","network");--> statement-breakpoint
CREATE UNIQUE INDEX "treasury_withdrawals_request_uq" ON "treasury_withdrawals" USING btree ("request_key");--> statement-breakpoint
CREATE INDEX "treasury_withdrawals_wallet_idx" ON "treasury_withdrawals" USING btree ("wallet_id","status");--> statement-breakpoint
CREATE INDEX "treasury_withdrawals_open_idx" ON "treasury_withdrawals" USING btree ("status","created_at_ms");--> statement-breakpoint
CREATE INDEX "waiting_responses_payment_idx" ON "waiting_responses" USING btree ("payment_id");--> statement-breakpoint
CREATE INDEX "waiting_responses_owner_idx" ON "waiting_responses" USING btree ("process","epoch");--> statement-breakpoint
CREATE INDEX "wallet_changes_due_idx" ON "wallet_changes" USING btree ("effective_at_ms");--> statement-breakpoint
CREATE INDEX "wallet_deposits_wallet_idx" ON "wallet_deposits" USING btree ("wallet_id","at_ms");--> statement-breakpoint
CREATE INDEX "wallet_holders_wallet_idx" ON "wallet_holders" USING btree ("wallet_id");--> statement-breakpoint
CREATE UNIQUE INDEX "withdrawals_request_uq" ON "wallet_withdrawals" USING btree ("holder_id","request_key");--> statement-breakpoint
CREATE INDEX "withdrawals_status_idx" ON "wallet_withdrawals" USING btree ("network","status","not_before_ms");--> statement-breakpoint
CREATE INDEX "withdrawals_wallet_idx" ON "wallet_withdrawals" USING btree ("wallet_id","created_at_ms");--> statement-breakpoint
CREATE INDEX "wallets_source_idx" ON "wallets" USING btree ("source","linked_at_ms");--> statement-breakpoint
CREATE INDEX "wallets_address_idx" ON "wallets" USING btree ("address");