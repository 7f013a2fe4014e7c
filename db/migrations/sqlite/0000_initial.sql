CREATE TABLE `accepted_givers` (
	`user_id` text NOT NULL,
	`giver_id` text NOT NULL,
	`since_ms` integer NOT NULL,
	PRIMARY KEY(`user_id`, `giver_id`)
);
--> statement-breakpoint
CREATE INDEX `accepted_givers_giver_idx` ON `accepted_givers` (`giver_id`);--> statement-breakpoint
CREATE TABLE `account_openings` (
	`network` text NOT NULL,
	`owner` text NOT NULL,
	`person` text NOT NULL,
	`carrier_id` text NOT NULL,
	`at_ms` integer NOT NULL,
	PRIMARY KEY(`network`, `owner`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `account_openings_person_uq` ON `account_openings` (`network`,`person`);--> statement-breakpoint
CREATE INDEX `account_openings_carrier_idx` ON `account_openings` (`carrier_id`);--> statement-breakpoint
CREATE TABLE `accounts` (
	`name` text PRIMARY KEY NOT NULL,
	`unit` text NOT NULL,
	`side` text NOT NULL,
	`balance` integer NOT NULL,
	`balance_wei` text NOT NULL,
	CONSTRAINT "accounts_never_overdrawn" CHECK(("accounts"."side" = 'signed') or ("accounts"."side" = 'asset' and "accounts"."balance" >= 0) or ("accounts"."side" = 'liability' and "accounts"."balance" <= 0))
);
--> statement-breakpoint
CREATE INDEX `accounts_holding_idx` ON `accounts` (`name`) WHERE "accounts"."balance" <> 0;--> statement-breakpoint
CREATE TABLE `admin_invites` (
	`name` text PRIMARY KEY NOT NULL,
	`link_hash` text NOT NULL,
	`role` text NOT NULL,
	`expires_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `admin_passkeys` (
	`id` text PRIMARY KEY NOT NULL,
	`admin` text NOT NULL,
	`public_key` text NOT NULL,
	`counter` integer NOT NULL,
	`transports` text NOT NULL,
	`created_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `admin_passkeys_admin_uq` ON `admin_passkeys` (`admin`);--> statement-breakpoint
CREATE TABLE `admin_sessions` (
	`cookie_hash` text PRIMARY KEY NOT NULL,
	`admin` text NOT NULL,
	`challenge_hash` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	`seen_at_ms` integer NOT NULL,
	`ends_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `admin_sessions_challenge_uq` ON `admin_sessions` (`challenge_hash`);--> statement-breakpoint
CREATE INDEX `admin_sessions_admin_idx` ON `admin_sessions` (`admin`);--> statement-breakpoint
CREATE INDEX `admin_sessions_created_idx` ON `admin_sessions` (`created_at_ms`);--> statement-breakpoint
CREATE TABLE `admins` (
	`name` text PRIMARY KEY NOT NULL,
	`role` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	`removed_at_ms` integer
);
--> statement-breakpoint
CREATE TABLE `audit_checkpoints` (
	`name` text PRIMARY KEY NOT NULL,
	`entry_id` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `audit_feed` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`key` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `audited_balances` (
	`account` text PRIMARY KEY NOT NULL,
	`amount` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `blocked_payers` (
	`identity_id` text NOT NULL,
	`payer` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	`returned_at_ms` integer,
	PRIMARY KEY(`identity_id`, `payer`)
);
--> statement-breakpoint
CREATE INDEX `blocked_payers_returned_idx` ON `blocked_payers` (`returned_at_ms`);--> statement-breakpoint
CREATE TABLE `bot_messages` (
	`transport` text NOT NULL,
	`key` text NOT NULL,
	`chat_id` text NOT NULL,
	`event_id` text,
	`user_id` text,
	`language` text,
	`reacts_to` integer,
	`rush_id` text,
	`is_quiet` integer NOT NULL,
	`lifetime_seconds` integer,
	`expires_at_ms` integer,
	`view` text,
	`revision` integer NOT NULL,
	`pending_since_ms` integer,
	`shown_at_ms` integer,
	`doubt_until_ms` integer,
	`tried_hash` text,
	`shown_hash` text,
	`message_id` text,
	`person_place` text,
	`person_message_id` integer,
	`is_renewed` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	PRIMARY KEY(`transport`, `key`)
);
--> statement-breakpoint
CREATE INDEX `bot_messages_pending_idx` ON `bot_messages` (`transport`,`pending_since_ms`);--> statement-breakpoint
CREATE INDEX `bot_messages_created_idx` ON `bot_messages` (`transport`,`created_at_ms`);--> statement-breakpoint
CREATE INDEX `bot_messages_shown_idx` ON `bot_messages` (`transport`,`shown_at_ms`);--> statement-breakpoint
CREATE INDEX `bot_messages_rush_idx` ON `bot_messages` (`rush_id`);--> statement-breakpoint
CREATE TABLE `carrier_items` (
	`carrier_id` text NOT NULL,
	`item_id` text NOT NULL,
	PRIMARY KEY(`carrier_id`, `item_id`)
);
--> statement-breakpoint
CREATE INDEX `carrier_items_item_idx` ON `carrier_items` (`item_id`);--> statement-breakpoint
CREATE TABLE `carrier_transactions` (
	`hash` text PRIMARY KEY NOT NULL,
	`carrier_id` text NOT NULL,
	`bytes` text NOT NULL,
	`max_fee_per_gas` text,
	`max_priority_fee_per_gas` text,
	`signed_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `carrier_transactions_carrier_idx` ON `carrier_transactions` (`carrier_id`);--> statement-breakpoint
CREATE TABLE `carriers` (
	`id` text PRIMARY KEY NOT NULL,
	`network` text NOT NULL,
	`kind` text NOT NULL,
	`status` text NOT NULL,
	`sender` text NOT NULL,
	`lane_nonce` integer,
	`calldata` text,
	`gas_limit` integer,
	`last_valid_height` integer,
	`sealed_transaction` text,
	`sealed_block` integer,
	`sealed_block_hash` text,
	`fee_wei` text,
	`created_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `carriers_lane_nonce_uq` ON `carriers` (`network`,`sender`,`lane_nonce`);--> statement-breakpoint
CREATE INDEX `carriers_status_idx` ON `carriers` (`network`,`status`);--> statement-breakpoint
CREATE TABLE `chat_buttons` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`action` text NOT NULL,
	`wallet_id` text,
	`withdrawal` text,
	`said` text,
	`order_id` text,
	`claim_id` text,
	`language` text,
	`txn_id` integer,
	`treasury_id` text,
	`reward_id` text,
	`request_id` text,
	`drop_id` text,
	`list_hash` text,
	`pressed_by_event` text,
	`created_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `chat_buttons_action_idx` ON `chat_buttons` (`action`,`created_at_ms`);--> statement-breakpoint
CREATE TABLE `chat_events` (
	`transport` text NOT NULL,
	`id` text NOT NULL,
	`body` text,
	`received_at_ms` integer NOT NULL,
	`done_at_ms` integer,
	PRIMARY KEY(`transport`, `id`)
);
--> statement-breakpoint
CREATE INDEX `chat_events_done_idx` ON `chat_events` (`transport`,`done_at_ms`,`received_at_ms`);--> statement-breakpoint
CREATE TABLE `chat_files` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	`wallet_id` text,
	`language` text,
	`until_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `chat_messages` (
	`id` text PRIMARY KEY NOT NULL,
	`chat_id` text NOT NULL,
	`author` text NOT NULL,
	`view` text NOT NULL,
	`once_key` text,
	`position` integer NOT NULL,
	`revision` integer NOT NULL,
	`created_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `chat_messages_once_uq` ON `chat_messages` (`chat_id`,`once_key`);--> statement-breakpoint
CREATE INDEX `chat_messages_chat_idx` ON `chat_messages` (`chat_id`,`revision`);--> statement-breakpoint
CREATE TABLE `chat_users` (
	`id` text PRIMARY KEY NOT NULL,
	`transport` text NOT NULL,
	`wallet_address` text NOT NULL,
	`funded_at_ms` integer,
	`chosen_wallet_id` text,
	`chosen_at_ms` integer,
	`language` text,
	`created_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `chat_users_wallet_idx` ON `chat_users` (`wallet_address`);--> statement-breakpoint
CREATE TABLE `chats` (
	`id` text PRIMARY KEY NOT NULL,
	`last_revision` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `claim_lines` (
	`claim_id` text NOT NULL,
	`txn_id` integer NOT NULL,
	PRIMARY KEY(`claim_id`, `txn_id`)
);
--> statement-breakpoint
CREATE INDEX `claim_lines_txn_idx` ON `claim_lines` (`txn_id`);--> statement-breakpoint
CREATE TABLE `claims` (
	`id` text PRIMARY KEY NOT NULL,
	`platform` text NOT NULL,
	`key` text NOT NULL,
	`display` text NOT NULL,
	`payout` text NOT NULL,
	`method` text NOT NULL,
	`status` text NOT NULL,
	`language` text,
	`browser_id` text,
	`proof` text,
	`tries` integer NOT NULL,
	`receipt_slug` text,
	`identity_id` text,
	`proven_key` text,
	`confirm_hash` text,
	`reject_reason` text,
	`created_at_ms` integer NOT NULL,
	`expires_at_ms` integer NOT NULL,
	`verified_at_ms` integer,
	`ended_at_ms` integer
);
--> statement-breakpoint
CREATE INDEX `claims_identity_idx` ON `claims` (`identity_id`,`status`);--> statement-breakpoint
CREATE INDEX `claims_browser_idx` ON `claims` (`browser_id`,`created_at_ms`);--> statement-breakpoint
CREATE INDEX `claims_expiry_idx` ON `claims` (`expires_at_ms`);--> statement-breakpoint
CREATE TABLE `closing_wallets` (
	`id` text PRIMARY KEY NOT NULL,
	`wallet_id` text NOT NULL,
	`found_micro_usdc` integer,
	`is_leaving` integer NOT NULL,
	`looked_at_ms` integer,
	`next_look_at_ms` integer NOT NULL,
	`told_at_ms` integer
);
--> statement-breakpoint
CREATE INDEX `closing_wallets_next_idx` ON `closing_wallets` (`next_look_at_ms`);--> statement-breakpoint
CREATE TABLE `code_mails` (
	`link_hash` text PRIMARY KEY NOT NULL,
	`address` text NOT NULL,
	`sent_at_ms` integer NOT NULL,
	`browser_id` text
);
--> statement-breakpoint
CREATE INDEX `code_mails_address_idx` ON `code_mails` (`address`,`sent_at_ms`);--> statement-breakpoint
CREATE INDEX `code_mails_sent_idx` ON `code_mails` (`sent_at_ms`);--> statement-breakpoint
CREATE TABLE `community_answers` (
	`transport` text NOT NULL,
	`community_id` text NOT NULL,
	`user_id` text NOT NULL,
	`message_id` text NOT NULL,
	`by_id` text NOT NULL,
	PRIMARY KEY(`transport`, `community_id`, `user_id`, `message_id`)
);
--> statement-breakpoint
CREATE INDEX `community_answers_user_idx` ON `community_answers` (`user_id`);--> statement-breakpoint
CREATE TABLE `community_bans` (
	`transport` text NOT NULL,
	`community_id` text NOT NULL,
	`user_id` text NOT NULL,
	`banned_by` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	PRIMARY KEY(`transport`, `community_id`, `user_id`)
);
--> statement-breakpoint
CREATE TABLE `community_people` (
	`transport` text NOT NULL,
	`community_id` text NOT NULL,
	`user_id` text NOT NULL,
	`username` text,
	`name` text,
	`is_bot` integer NOT NULL,
	`first_seen_at_ms` integer NOT NULL,
	`seen_at_ms` integer NOT NULL,
	PRIMARY KEY(`transport`, `community_id`, `user_id`)
);
--> statement-breakpoint
CREATE INDEX `community_people_name_idx` ON `community_people` (`transport`,`username`);--> statement-breakpoint
CREATE INDEX `community_people_user_idx` ON `community_people` (`user_id`);--> statement-breakpoint
CREATE INDEX `community_people_seen_idx` ON `community_people` (`seen_at_ms`);--> statement-breakpoint
CREATE TABLE `community_settings` (
	`transport` text NOT NULL,
	`community_id` text NOT NULL,
	`settings` text NOT NULL,
	`revision` integer NOT NULL,
	`changed_by` text NOT NULL,
	`changed_at_ms` integer NOT NULL,
	PRIMARY KEY(`transport`, `community_id`)
);
--> statement-breakpoint
CREATE TABLE `community_tips` (
	`transport` text NOT NULL,
	`community_id` text NOT NULL,
	`user_id` text NOT NULL,
	`last_tip_at_ms` integer NOT NULL,
	PRIMARY KEY(`transport`, `community_id`, `user_id`)
);
--> statement-breakpoint
CREATE TABLE `counters` (
	`name` text PRIMARY KEY NOT NULL,
	`used` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `day_rates` (
	`currency` text NOT NULL,
	`day` text NOT NULL,
	`worth_micro_usdc` integer NOT NULL,
	PRIMARY KEY(`currency`, `day`)
);
--> statement-breakpoint
CREATE TABLE `deposit_watches` (
	`wallet_id` text NOT NULL,
	`network` text NOT NULL,
	`address` text NOT NULL,
	`since_ms` integer NOT NULL,
	`block` integer,
	PRIMARY KEY(`wallet_id`, `network`)
);
--> statement-breakpoint
CREATE INDEX `deposit_watches_block_idx` ON `deposit_watches` (`network`,`block`);--> statement-breakpoint
CREATE TABLE `distributions` (
	`id` text PRIMARY KEY NOT NULL,
	`secret_hash` text NOT NULL,
	`platform` text NOT NULL,
	`content_id` text NOT NULL,
	`post_url` text NOT NULL,
	`author_id` text NOT NULL,
	`author_name` text,
	`excerpt` text NOT NULL,
	`published_at_ms` integer NOT NULL,
	`budget_micro_usdc` integer NOT NULL,
	`weights` text NOT NULL,
	`recipients_max` integer NOT NULL,
	`shares` text NOT NULL,
	`left_out` text NOT NULL,
	`rejected_at_ms` integer,
	`tried_at_ms` integer,
	`caller` text,
	`created_at_ms` integer NOT NULL,
	`expires_at_ms` integer NOT NULL,
	CONSTRAINT "distributions_caller_untried" CHECK("distributions"."caller" IS NULL OR "distributions"."tried_at_ms" IS NULL)
);
--> statement-breakpoint
CREATE INDEX `distributions_untried_idx` ON `distributions` (`expires_at_ms`) WHERE "distributions"."tried_at_ms" IS NULL;--> statement-breakpoint
CREATE INDEX `distributions_caller_idx` ON `distributions` (`caller`,`expires_at_ms`) WHERE "distributions"."caller" IS NOT NULL;--> statement-breakpoint
CREATE TABLE `doubtful_payers` (
	`network` text NOT NULL,
	`payer` text NOT NULL,
	`fact` text NOT NULL,
	PRIMARY KEY(`network`, `payer`, `fact`)
);
--> statement-breakpoint
CREATE TABLE `drop_confirmations` (
	`drop_id` text NOT NULL,
	`user_id` text NOT NULL,
	`list_hash` text NOT NULL,
	`confirmed_at_ms` integer NOT NULL,
	PRIMARY KEY(`drop_id`, `user_id`)
);
--> statement-breakpoint
CREATE INDEX `drop_confirmations_user_idx` ON `drop_confirmations` (`user_id`);--> statement-breakpoint
CREATE TABLE `drop_takers` (
	`drop_id` text NOT NULL,
	`user_id` text NOT NULL,
	`position` integer NOT NULL,
	`names` text NOT NULL,
	`is_struck` integer NOT NULL,
	PRIMARY KEY(`drop_id`, `user_id`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `drop_takers_position_uq` ON `drop_takers` (`drop_id`,`position`);--> statement-breakpoint
CREATE INDEX `drop_takers_user_idx` ON `drop_takers` (`user_id`);--> statement-breakpoint
CREATE TABLE `drops` (
	`id` text PRIMARY KEY NOT NULL,
	`event_key` text NOT NULL,
	`transport` text NOT NULL,
	`community_id` text NOT NULL,
	`chat_id` text NOT NULL,
	`message_id` text,
	`language` text,
	`giver_id` text NOT NULL,
	`wallet_id` text,
	`is_one_enough` integer,
	`is_lone` integer,
	`amount_micro_usdc` integer NOT NULL,
	`people` integer NOT NULL,
	`role` text,
	`status` text NOT NULL,
	`end_reason` text,
	`order_id` text,
	`created_at_ms` integer NOT NULL,
	`closes_at_ms` integer NOT NULL,
	`ends_at_ms` integer NOT NULL,
	`next_look_at_ms` integer,
	CONSTRAINT "drops_amount_positive" CHECK("drops"."amount_micro_usdc" > 0 AND "drops"."people" > 1),
	CONSTRAINT "drops_agreed_order" CHECK(("drops"."status" = 'agreed') = ("drops"."order_id" IS NOT NULL))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `drops_event_uq` ON `drops` (`event_key`);--> statement-breakpoint
CREATE INDEX `drops_giver_idx` ON `drops` (`giver_id`,`created_at_ms`);--> statement-breakpoint
CREATE INDEX `drops_wallet_idx` ON `drops` (`wallet_id`,`status`);--> statement-breakpoint
CREATE INDEX `drops_order_idx` ON `drops` (`order_id`);--> statement-breakpoint
CREATE INDEX `drops_look_idx` ON `drops` (`next_look_at_ms`,`created_at_ms`);--> statement-breakpoint
CREATE TABLE `entries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`cause` text NOT NULL,
	`created_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `entries_cause_uq` ON `entries` (`cause`);--> statement-breakpoint
CREATE TABLE `erased_answers` (
	`payment_id` text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE `event_deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`endpoint_id` text NOT NULL,
	`payment_id` text,
	`task_id` text,
	`type` text NOT NULL,
	`txn_ids` text NOT NULL,
	`at_ms` integer NOT NULL,
	`is_sealed` integer NOT NULL,
	`failures` integer NOT NULL,
	`next_at_ms` integer,
	`last_answer` text,
	`ended_at_ms` integer,
	`outcome` text
);
--> statement-breakpoint
CREATE INDEX `event_deliveries_due_idx` ON `event_deliveries` (`next_at_ms`) WHERE "event_deliveries"."next_at_ms" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `event_deliveries_endpoint_idx` ON `event_deliveries` (`endpoint_id`,`next_at_ms`) WHERE "event_deliveries"."next_at_ms" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `event_deliveries_payment_idx` ON `event_deliveries` (`payment_id`,`type`);--> statement-breakpoint
CREATE INDEX `event_deliveries_task_idx` ON `event_deliveries` (`task_id`) WHERE "event_deliveries"."task_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `event_deliveries_undelivered_idx` ON `event_deliveries` (`ended_at_ms`) WHERE "event_deliveries"."outcome" <> 'delivered';--> statement-breakpoint
CREATE TABLE `event_endpoints` (
	`id` text PRIMARY KEY NOT NULL,
	`network` text,
	`payer` text,
	`task_id` text,
	`push` text,
	`url` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	`consent_at_ms` integer,
	`used_at_ms` integer,
	`delivered_at_ms` integer,
	`ended_at_ms` integer,
	`end_reason` text,
	CONSTRAINT "event_endpoints_owner" CHECK(("event_endpoints"."task_id" IS NULL) = ("event_endpoints"."payer" IS NOT NULL))
);
--> statement-breakpoint
CREATE INDEX `event_endpoints_payer_idx` ON `event_endpoints` (`payer`,`network`) WHERE "event_endpoints"."ended_at_ms" IS NULL;--> statement-breakpoint
CREATE INDEX `event_endpoints_unused_idx` ON `event_endpoints` (`created_at_ms`) WHERE "event_endpoints"."used_at_ms" IS NULL;--> statement-breakpoint
CREATE INDEX `event_endpoints_task_idx` ON `event_endpoints` (`task_id`) WHERE "event_endpoints"."task_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `event_endpoints_consent_idx` ON `event_endpoints` (`url`,`consent_at_ms`) WHERE "event_endpoints"."consent_at_ms" IS NOT NULL;--> statement-breakpoint
CREATE TABLE `expiring_messages` (
	`transport` text NOT NULL,
	`chat_id` text NOT NULL,
	`message_id` text NOT NULL,
	`due_at_ms` integer NOT NULL,
	PRIMARY KEY(`transport`, `chat_id`, `message_id`)
);
--> statement-breakpoint
CREATE INDEX `expiring_messages_due_idx` ON `expiring_messages` (`transport`,`due_at_ms`);--> statement-breakpoint
CREATE TABLE `heartbeats` (
	`name` text PRIMARY KEY NOT NULL,
	`at_ms` integer NOT NULL,
	`detail` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `high_water_marks` (
	`holder` text PRIMARY KEY NOT NULL,
	`mark` integer NOT NULL,
	`seen_mark` integer
);
--> statement-breakpoint
CREATE TABLE `holdings` (
	`name` text PRIMARY KEY NOT NULL,
	`process` text NOT NULL,
	`epoch` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `holdings_process_idx` ON `holdings` (`process`);--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`payer` text NOT NULL,
	`key` text NOT NULL,
	`request_hash` text NOT NULL,
	`payment_id` text NOT NULL,
	PRIMARY KEY(`payer`, `key`)
);
--> statement-breakpoint
CREATE TABLE `identities` (
	`id` text PRIMARY KEY NOT NULL,
	`platform` text NOT NULL,
	`stable_id` text NOT NULL,
	`key` text NOT NULL,
	`display` text NOT NULL,
	`since_ms` integer,
	`opted_out_at_ms` integer,
	`language` text,
	`notices_off_at_ms` integer,
	`created_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `identities_stable_uq` ON `identities` (`platform`,`stable_id`);--> statement-breakpoint
CREATE INDEX `identities_key_idx` ON `identities` (`platform`,`key`);--> statement-breakpoint
CREATE TABLE `kept_answers` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`view` text NOT NULL,
	`until_ms` integer NOT NULL,
	`taken_by_event` text
);
--> statement-breakpoint
CREATE INDEX `kept_answers_until_idx` ON `kept_answers` (`until_ms`);--> statement-breakpoint
CREATE INDEX `kept_answers_user_idx` ON `kept_answers` (`user_id`);--> statement-breakpoint
CREATE TABLE `known_recipients` (
	`user_id` text NOT NULL,
	`recipient` text NOT NULL,
	`since_ms` integer NOT NULL,
	PRIMARY KEY(`user_id`, `recipient`)
);
--> statement-breakpoint
CREATE TABLE `lines` (
	`txn_id` integer PRIMARY KEY NOT NULL,
	`payment_id` text NOT NULL,
	`position` integer NOT NULL,
	`identity_id` text NOT NULL,
	`platform` text NOT NULL,
	`receiver` text NOT NULL,
	`recipient_key` text NOT NULL,
	`display` text NOT NULL,
	`amount_micro_usdc` integer NOT NULL,
	`note` text,
	`status` text NOT NULL,
	`payout_id` text,
	`return_reason` text,
	`slug` text NOT NULL,
	`public_slug` text NOT NULL,
	`expires_at_ms` integer NOT NULL,
	CONSTRAINT "lines_amount_positive" CHECK("lines"."amount_micro_usdc" > 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `lines_slug_uq` ON `lines` (`slug`);--> statement-breakpoint
CREATE UNIQUE INDEX `lines_public_slug_uq` ON `lines` (`public_slug`);--> statement-breakpoint
CREATE INDEX `lines_recipient_idx` ON `lines` (`platform`,`recipient_key`,`amount_micro_usdc`);--> statement-breakpoint
CREATE UNIQUE INDEX `lines_position_uq` ON `lines` (`payment_id`,`position`);--> statement-breakpoint
CREATE INDEX `lines_status_idx` ON `lines` (`status`,`expires_at_ms`);--> statement-breakpoint
CREATE INDEX `lines_identity_idx` ON `lines` (`identity_id`,`status`,`expires_at_ms`);--> statement-breakpoint
CREATE INDEX `lines_payout_idx` ON `lines` (`payout_id`);--> statement-breakpoint
CREATE TABLE `lookups` (
	`txn_id` integer PRIMARY KEY NOT NULL,
	`payment_id` text NOT NULL,
	`platform` text NOT NULL,
	`next_try_at_ms` integer NOT NULL,
	`tries` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `lookups_payment_idx` ON `lookups` (`payment_id`);--> statement-breakpoint
CREATE INDEX `lookups_due_idx` ON `lookups` (`next_try_at_ms`);--> statement-breakpoint
CREATE TABLE `lost_inbounds` (
	`fact` text PRIMARY KEY NOT NULL,
	`network` text NOT NULL,
	`payer` text NOT NULL,
	`amount_micro_usdc` integer NOT NULL,
	`paid_micro_usdc` integer NOT NULL,
	`state` text NOT NULL,
	`held_reason` text,
	`at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `lost_inbounds_payer_idx` ON `lost_inbounds` (`payer`);--> statement-breakpoint
CREATE TABLE `message_tasks` (
	`id` text PRIMARY KEY NOT NULL,
	`context_id` text NOT NULL,
	`is_our_context` integer NOT NULL,
	`skill_id` text NOT NULL,
	`params` text NOT NULL,
	`opened_by` text NOT NULL,
	`payment_id` text,
	`generation` integer,
	`refusals` text NOT NULL,
	`canceled_at_ms` integer,
	`created_at_ms` integer NOT NULL,
	`expires_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `message_tasks_context_idx` ON `message_tasks` (`context_id`,`created_at_ms`);--> statement-breakpoint
CREATE INDEX `message_tasks_expiry_idx` ON `message_tasks` (`payment_id`,`expires_at_ms`);--> statement-breakpoint
CREATE INDEX `message_tasks_opener_idx` ON `message_tasks` (`opened_by`,`payment_id`,`expires_at_ms`);--> statement-breakpoint
CREATE TABLE `money_requests` (
	`id` text PRIMARY KEY NOT NULL,
	`bill_id` text,
	`event_key` text NOT NULL,
	`transport` text NOT NULL,
	`chat_id` text NOT NULL,
	`message_id` text,
	`language` text,
	`asker_id` text NOT NULL,
	`asked_id` text NOT NULL,
	`amount_micro_usdc` integer NOT NULL,
	`reason` text,
	`status` text NOT NULL,
	`order_id` text,
	`created_at_ms` integer NOT NULL,
	`ends_at_ms` integer NOT NULL,
	`next_look_at_ms` integer,
	CONSTRAINT "money_requests_amount_positive" CHECK("money_requests"."amount_micro_usdc" > 0),
	CONSTRAINT "money_requests_agreed_order" CHECK(("money_requests"."status" = 'agreed') = ("money_requests"."order_id" IS NOT NULL))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `money_requests_event_uq` ON `money_requests` (`event_key`,`asked_id`);--> statement-breakpoint
CREATE INDEX `money_requests_asker_idx` ON `money_requests` (`asker_id`,`created_at_ms`);--> statement-breakpoint
CREATE INDEX `money_requests_asked_idx` ON `money_requests` (`asked_id`,`created_at_ms`);--> statement-breakpoint
CREATE INDEX `money_requests_bill_idx` ON `money_requests` (`bill_id`);--> statement-breakpoint
CREATE INDEX `money_requests_look_idx` ON `money_requests` (`next_look_at_ms`,`created_at_ms`);--> statement-breakpoint
CREATE TABLE `native_costs` (
	`transaction` text NOT NULL,
	`item_id` text NOT NULL,
	`kind` text NOT NULL,
	`network` text NOT NULL,
	`day` text NOT NULL,
	`payer` text,
	`recipient` text,
	`amount` text NOT NULL,
	PRIMARY KEY(`transaction`, `item_id`, `kind`)
);
--> statement-breakpoint
CREATE INDEX `native_costs_day_idx` ON `native_costs` (`network`,`day`);--> statement-breakpoint
CREATE INDEX `native_costs_payer_idx` ON `native_costs` (`payer`,`day`);--> statement-breakpoint
CREATE TABLE `notices` (
	`identity_id` text NOT NULL,
	`kind` text NOT NULL,
	`until_ms` integer NOT NULL,
	`sent_at_ms` integer NOT NULL,
	PRIMARY KEY(`identity_id`, `kind`)
);
--> statement-breakpoint
CREATE TABLE `observed_transfers` (
	`fact` text PRIMARY KEY NOT NULL,
	`network` text NOT NULL,
	`transaction` text NOT NULL,
	`log_index` integer NOT NULL,
	`block` integer NOT NULL,
	`block_hash` text NOT NULL,
	`from_address` text NOT NULL,
	`to_address` text NOT NULL,
	`amount_micro_usdc` integer NOT NULL,
	`authorizer` text,
	`nonce` text,
	`memo` text,
	`outgoing` integer NOT NULL,
	`landed` integer NOT NULL,
	`landings` integer NOT NULL,
	`consumed_by` text,
	`return_wanted` integer NOT NULL,
	`seen_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `observed_transfers_block_idx` ON `observed_transfers` (`network`,`block`);--> statement-breakpoint
CREATE INDEX `observed_transfers_nonce_idx` ON `observed_transfers` (`network`,`authorizer`,`nonce`);--> statement-breakpoint
CREATE INDEX `observed_transfers_open_idx` ON `observed_transfers` (`network`,`block`) WHERE "observed_transfers"."consumed_by" is null;--> statement-breakpoint
CREATE INDEX `observed_transfers_transaction_idx` ON `observed_transfers` (`network`,`transaction`);--> statement-breakpoint
CREATE INDEX `observed_transfers_consumer_idx` ON `observed_transfers` (`consumed_by`);--> statement-breakpoint
CREATE INDEX `observed_transfers_booked_idx` ON `observed_transfers` (`network`,`to_address`,`block`,`log_index`) WHERE "observed_transfers"."consumed_by" is not null;--> statement-breakpoint
CREATE INDEX `observed_transfers_taken_idx` ON `observed_transfers` (`network`,`from_address`,`block`) WHERE "observed_transfers"."outgoing" = true and "observed_transfers"."consumed_by" like 'taken%';--> statement-breakpoint
CREATE TABLE `operator_actions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`who` text NOT NULL,
	`command` text NOT NULL,
	`arguments` text NOT NULL,
	`result` text NOT NULL,
	`at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `operator_addresses` (
	`network` text NOT NULL,
	`address` text NOT NULL,
	`since_ms` integer NOT NULL,
	PRIMARY KEY(`network`, `address`)
);
--> statement-breakpoint
CREATE TABLE `orders` (
	`id` text PRIMARY KEY NOT NULL,
	`transport` text NOT NULL,
	`event_id` text NOT NULL,
	`chat_id` text NOT NULL,
	`message_id` text NOT NULL,
	`community_id` text,
	`user_id` text NOT NULL,
	`wallet_id` text NOT NULL,
	`wallet_name` text,
	`network` text NOT NULL,
	`payer_address` text NOT NULL,
	`route` text NOT NULL,
	`body` text NOT NULL,
	`tipped_message_id` text,
	`recipient` text NOT NULL,
	`amount_micro_usdc` integer NOT NULL,
	`lines` text,
	`total_micro_usdc` integer,
	`agreed_micro_usdc` integer,
	`counted_micro_usdc` integer,
	`passkey_id` text,
	`status` text NOT NULL,
	`via_link` integer,
	`header` text,
	`valid_before` integer,
	`last_valid_height` integer,
	`txn_id` integer,
	`receipt` text,
	`results` text,
	`failure` text,
	`failed_line` integer,
	`language` text,
	`erased_at_ms` integer,
	`undone_at_ms` integer,
	`shown_at_ms` integer,
	`news_count` integer DEFAULT 0 NOT NULL,
	`created_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `orders_event_uq` ON `orders` (`transport`,`event_id`);--> statement-breakpoint
CREATE INDEX `orders_txn_idx` ON `orders` (`txn_id`);--> statement-breakpoint
CREATE INDEX `orders_open_idx` ON `orders` (`shown_at_ms`,`created_at_ms`);--> statement-breakpoint
CREATE INDEX `orders_tipped_idx` ON `orders` (`transport`,`chat_id`,`tipped_message_id`);--> statement-breakpoint
CREATE INDEX `orders_user_idx` ON `orders` (`user_id`,`created_at_ms`);--> statement-breakpoint
CREATE INDEX `orders_wallet_idx` ON `orders` (`wallet_id`,`status`);--> statement-breakpoint
CREATE INDEX `orders_counted_idx` ON `orders` (`status`,`counted_micro_usdc`);--> statement-breakpoint
CREATE TABLE `outbox` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`topic` text NOT NULL,
	`key` text NOT NULL,
	`next_at_ms` integer NOT NULL,
	`tries` integer NOT NULL,
	`done_at_ms` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `outbox_key_uq` ON `outbox` (`topic`,`key`);--> statement-breakpoint
CREATE INDEX `outbox_open_idx` ON `outbox` (`done_at_ms`,`next_at_ms`);--> statement-breakpoint
CREATE TABLE `passkeys` (
	`id` text PRIMARY KEY NOT NULL,
	`wallet_id` text NOT NULL,
	`identity_id` text NOT NULL,
	`public_key` text NOT NULL,
	`counter` integer NOT NULL,
	`transports` text NOT NULL,
	`added_by` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	`holds_from_ms` integer NOT NULL,
	`ends_at_ms` integer
);
--> statement-breakpoint
CREATE INDEX `passkeys_wallet_idx` ON `passkeys` (`wallet_id`);--> statement-breakpoint
CREATE TABLE `pay_link_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`order_id` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `pay_link_keys_order_idx` ON `pay_link_keys` (`order_id`);--> statement-breakpoint
CREATE TABLE `pay_links` (
	`order_id` text PRIMARY KEY NOT NULL,
	`status` text NOT NULL,
	`until_ms` integer NOT NULL,
	`task_id` text,
	`terms` text,
	`header` text,
	`refusal` text,
	`shown_at_ms` integer,
	`next_look_at_ms` integer,
	`created_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `pay_links_task_uq` ON `pay_links` (`task_id`);--> statement-breakpoint
CREATE INDEX `pay_links_look_idx` ON `pay_links` (`next_look_at_ms`);--> statement-breakpoint
CREATE TABLE `payer_loads` (
	`payer` text PRIMARY KEY NOT NULL,
	`unsettled` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `payments` (
	`id` text PRIMARY KEY NOT NULL,
	`network` text NOT NULL,
	`payer` text NOT NULL,
	`payer_account` text,
	`nonce` text NOT NULL,
	`pay_to` text NOT NULL,
	`valid_after` integer NOT NULL,
	`valid_before` integer NOT NULL,
	`signature` text NOT NULL,
	`operation` text NOT NULL,
	`request_hash` text NOT NULL,
	`idempotency_key` text,
	`sum_micro_usdc` integer NOT NULL,
	`fee_micro_usdc` integer NOT NULL,
	`cost_micro_usdc` integer NOT NULL,
	`cost_prepaid` integer NOT NULL,
	`description` text,
	`meta` text,
	`agent_known` integer NOT NULL,
	`payer_reference` text,
	`status` text NOT NULL,
	`reject_reason` text,
	`carrier_id` text,
	`next_try_at_ms` integer NOT NULL,
	`tries` integer NOT NULL,
	`delivery` text NOT NULL,
	`answer` text,
	`landed_transaction` text,
	`landed_block` integer,
	`landed_address` text,
	`created_at_ms` integer NOT NULL,
	`reserved_at_ms` integer NOT NULL,
	`settled_at_ms` integer,
	`bound` integer NOT NULL,
	`landed_before` integer NOT NULL,
	`endpoint_id` text,
	CONSTRAINT "payments_sum_positive" CHECK("payments"."sum_micro_usdc" > 0),
	CONSTRAINT "payments_fee_positive" CHECK("payments"."fee_micro_usdc" >= 0)
);
--> statement-breakpoint
CREATE INDEX `payments_status_idx` ON `payments` (`status`,`carrier_id`,`next_try_at_ms`);--> statement-breakpoint
CREATE INDEX `payments_join_idx` ON `payments` (`payer`,`request_hash`,`reserved_at_ms`);--> statement-breakpoint
CREATE INDEX `payments_payer_idx` ON `payments` (`payer`,`created_at_ms`);--> statement-breakpoint
CREATE INDEX `payments_carrier_idx` ON `payments` (`carrier_id`);--> statement-breakpoint
CREATE INDEX `payments_landed_idx` ON `payments` (`landed_transaction`);--> statement-breakpoint
CREATE INDEX `payments_refused_idx` ON `payments` (`nonce`) WHERE "payments"."reject_reason" is not null;--> statement-breakpoint
CREATE TABLE `payout_settings` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `postings` (
	`entry_id` integer NOT NULL,
	`position` integer NOT NULL,
	`account` text NOT NULL,
	`unit` text NOT NULL,
	`amount` integer NOT NULL,
	`amount_wei` text NOT NULL,
	PRIMARY KEY(`entry_id`, `position`)
);
--> statement-breakpoint
CREATE INDEX `postings_account_idx` ON `postings` (`account`);--> statement-breakpoint
CREATE TABLE `processes` (
	`id` text PRIMARY KEY NOT NULL,
	`roles` text NOT NULL,
	`address` text NOT NULL,
	`pid` integer NOT NULL,
	`epoch` integer NOT NULL,
	`beat_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `proofs` (
	`network` text NOT NULL,
	`payer` text NOT NULL,
	`nonce` text NOT NULL,
	`payload_hash` text NOT NULL,
	`request_hash` text NOT NULL,
	`payment_id` text NOT NULL,
	`alias` integer NOT NULL,
	`claimed_at_ms` integer NOT NULL,
	PRIMARY KEY(`network`, `payer`, `nonce`)
);
--> statement-breakpoint
CREATE INDEX `proofs_payment_idx` ON `proofs` (`payment_id`);--> statement-breakpoint
CREATE TABLE `purchases` (
	`order_id` text PRIMARY KEY NOT NULL,
	`payment_id` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `purchases_payment_idx` ON `purchases` (`payment_id`);--> statement-breakpoint
CREATE TABLE `quiet_people` (
	`user_id` text PRIMARY KEY NOT NULL,
	`since_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `quiet_tips` (
	`txn_id` integer PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`giver_id` text NOT NULL,
	`line_id` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `quiet_tips_line_idx` ON `quiet_tips` (`line_id`);--> statement-breakpoint
CREATE INDEX `quiet_tips_user_idx` ON `quiet_tips` (`user_id`);--> statement-breakpoint
CREATE INDEX `quiet_tips_giver_idx` ON `quiet_tips` (`giver_id`);--> statement-breakpoint
CREATE TABLE `reconciliations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`noticed_at_ms` integer NOT NULL,
	`at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `refunds` (
	`id` text PRIMARY KEY NOT NULL,
	`network` text NOT NULL,
	`payer` text NOT NULL,
	`payer_account` text,
	`account` text NOT NULL,
	`from_address` text NOT NULL,
	`amount_micro_usdc` integer NOT NULL,
	`payment_id` text,
	`txn_id` integer,
	`held_reason` text,
	`payout_id` text,
	`created_at_ms` integer NOT NULL,
	CONSTRAINT "refunds_amount_positive" CHECK("refunds"."amount_micro_usdc" > 0)
);
--> statement-breakpoint
CREATE INDEX `refunds_open_idx` ON `refunds` (`network`,`payout_id`,`payer`);--> statement-breakpoint
CREATE INDEX `refunds_payment_idx` ON `refunds` (`payment_id`);--> statement-breakpoint
CREATE INDEX `refunds_payout_idx` ON `refunds` (`payout_id`);--> statement-breakpoint
CREATE INDEX `refunds_txn_idx` ON `refunds` (`txn_id`);--> statement-breakpoint
CREATE TABLE `reports` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`reason` text NOT NULL,
	`words` text,
	`reporter` text NOT NULL,
	`share` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	`closed_at_ms` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `reports_reporter_uq` ON `reports` (`kind`,`subject`,`reporter`);--> statement-breakpoint
CREATE INDEX `reports_caller_idx` ON `reports` (`reporter`,`created_at_ms`);--> statement-breakpoint
CREATE INDEX `reports_created_idx` ON `reports` (`created_at_ms`);--> statement-breakpoint
CREATE INDEX `reports_open_idx` ON `reports` (`closed_at_ms`,`created_at_ms`);--> statement-breakpoint
CREATE TABLE `request_choices` (
	`user_id` text NOT NULL,
	`other_id` text NOT NULL,
	`is_allowed` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	PRIMARY KEY(`user_id`, `other_id`)
);
--> statement-breakpoint
CREATE TABLE `restored_cursors` (
	`network` text PRIMARY KEY NOT NULL,
	`block` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `reward_cards` (
	`id` text PRIMARY KEY NOT NULL,
	`request_key` text NOT NULL,
	`distribution_id` text NOT NULL,
	`wallet_id` text NOT NULL,
	`transport` text NOT NULL,
	`community_id` text NOT NULL,
	`chat_id` text NOT NULL,
	`message_id` text,
	`language` text,
	`proposed_by` text NOT NULL,
	`post` text NOT NULL,
	`excluded` text NOT NULL,
	`preview` text NOT NULL,
	`budget_micro_usdc` integer NOT NULL,
	`total_micro_usdc` integer NOT NULL,
	`cost_max_micro_usdc` integer NOT NULL,
	`cost_micro_usdc` integer,
	`status` text NOT NULL,
	`is_one_enough` integer,
	`is_lone` integer,
	`network` text,
	`payer_address` text,
	`via_link` integer,
	`refusal` text,
	`header` text,
	`valid_before` integer,
	`last_valid_height` integer,
	`failure` text,
	`counts` text,
	`ended_by` text,
	`created_at_ms` integer NOT NULL,
	`expires_at_ms` integer NOT NULL,
	`ended_at_ms` integer,
	`paid_at_ms` integer,
	`next_look_at_ms` integer,
	CONSTRAINT "reward_cards_amounts_positive" CHECK("reward_cards"."budget_micro_usdc" > 0 AND "reward_cards"."total_micro_usdc" >= "reward_cards"."budget_micro_usdc" AND "reward_cards"."cost_max_micro_usdc" >= 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `reward_cards_request_uq` ON `reward_cards` (`request_key`);--> statement-breakpoint
CREATE UNIQUE INDEX `reward_cards_distribution_uq` ON `reward_cards` (`distribution_id`);--> statement-breakpoint
CREATE INDEX `reward_cards_wallet_idx` ON `reward_cards` (`wallet_id`,`status`);--> statement-breakpoint
CREATE INDEX `reward_cards_look_idx` ON `reward_cards` (`next_look_at_ms`);--> statement-breakpoint
CREATE TABLE `reward_confirmations` (
	`card_id` text NOT NULL,
	`user_id` text NOT NULL,
	`confirmed_at_ms` integer NOT NULL,
	PRIMARY KEY(`card_id`, `user_id`)
);
--> statement-breakpoint
CREATE TABLE `rushes` (
	`id` text PRIMARY KEY NOT NULL,
	`transport` text NOT NULL,
	`chat_id` text NOT NULL,
	`language` text,
	`last_tip_at_ms` integer NOT NULL,
	`next_look_at_ms` integer
);
--> statement-breakpoint
CREATE INDEX `rushes_place_idx` ON `rushes` (`transport`,`chat_id`,`next_look_at_ms`);--> statement-breakpoint
CREATE INDEX `rushes_look_idx` ON `rushes` (`transport`,`next_look_at_ms`);--> statement-breakpoint
CREATE INDEX `rushes_tip_idx` ON `rushes` (`last_tip_at_ms`);--> statement-breakpoint
CREATE TABLE `scan_cursors` (
	`network` text PRIMARY KEY NOT NULL,
	`first_block` integer NOT NULL,
	`block` integer NOT NULL,
	`block_hash` text NOT NULL,
	`block_time` integer NOT NULL,
	`safe_block` integer NOT NULL,
	`finalized_block` integer NOT NULL,
	`task_signature` text
);
--> statement-breakpoint
CREATE TABLE `scanned_blocks` (
	`network` text NOT NULL,
	`number` integer NOT NULL,
	`hash` text NOT NULL,
	PRIMARY KEY(`network`, `number`)
);
--> statement-breakpoint
CREATE TABLE `screenings` (
	`stage` text NOT NULL,
	`subject` text NOT NULL,
	`verdict` text NOT NULL,
	`source` text NOT NULL,
	`detail` text,
	`passes` integer NOT NULL,
	`at_ms` integer NOT NULL,
	`until_ms` integer,
	PRIMARY KEY(`stage`, `subject`)
);
--> statement-breakpoint
CREATE INDEX `screenings_verdict_idx` ON `screenings` (`verdict`,`at_ms`);--> statement-breakpoint
CREATE TABLE `seals` (
	`entry_id` integer PRIMARY KEY NOT NULL,
	`hash` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `signing_stops` (
	`reason` text NOT NULL,
	`network` text NOT NULL,
	`detail` text NOT NULL,
	`since_ms` integer NOT NULL,
	PRIMARY KEY(`reason`, `network`)
);
--> statement-breakpoint
CREATE TABLE `spending_locks` (
	`id` text PRIMARY KEY NOT NULL,
	`locked_by` text NOT NULL,
	`locked_at_ms` integer NOT NULL,
	`until_ms` integer
);
--> statement-breakpoint
CREATE TABLE `stamps` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `task_loads` (
	`caller` text PRIMARY KEY NOT NULL,
	`unpaid` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `task_offers` (
	`task_id` text NOT NULL,
	`network` text NOT NULL,
	`address` text NOT NULL,
	`price_micro_usdc` integer NOT NULL,
	`amount_micro_usdc` integer NOT NULL,
	`head_block` integer NOT NULL,
	`until_block` integer,
	`reused` integer NOT NULL,
	PRIMARY KEY(`task_id`, `network`),
	CONSTRAINT "task_offers_extra_positive" CHECK("task_offers"."amount_micro_usdc" > "task_offers"."price_micro_usdc")
);
--> statement-breakpoint
CREATE UNIQUE INDEX `task_offers_amount_uq` ON `task_offers` (`network`,`amount_micro_usdc`) WHERE "task_offers"."until_block" is null;--> statement-breakpoint
CREATE INDEX `task_offers_amount_idx` ON `task_offers` (`network`,`amount_micro_usdc`);--> statement-breakpoint
CREATE INDEX `task_offers_reused_idx` ON `task_offers` (`reused`,`until_block`);--> statement-breakpoint
CREATE INDEX `task_offers_price_idx` ON `task_offers` (`network`,`price_micro_usdc`);--> statement-breakpoint
CREATE TABLE `tasks` (
	`id` text PRIMARY KEY NOT NULL,
	`skill` text NOT NULL,
	`operation` text NOT NULL,
	`platform` text NOT NULL,
	`params` text NOT NULL,
	`request_hash` text NOT NULL,
	`memo` text NOT NULL,
	`caller` text,
	`agent_known` integer NOT NULL,
	`status` text NOT NULL,
	`sum_micro_usdc` integer NOT NULL,
	`fee_micro_usdc` integer NOT NULL,
	`refund_addresses` text NOT NULL,
	`claim_ttl_ms` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`expires_at_ms` integer NOT NULL,
	`reserved_until_ms` integer NOT NULL,
	`payment_id` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tasks_memo_uq` ON `tasks` (`memo`);--> statement-breakpoint
CREATE INDEX `tasks_status_idx` ON `tasks` (`status`,`expires_at_ms`);--> statement-breakpoint
CREATE INDEX `tasks_reserved_idx` ON `tasks` (`reserved_until_ms`);--> statement-breakpoint
CREATE INDEX `tasks_caller_idx` ON `tasks` (`caller`,`expires_at_ms`);--> statement-breakpoint
CREATE UNIQUE INDEX `tasks_payment_uq` ON `tasks` (`payment_id`);--> statement-breakpoint
CREATE TABLE `tip_pages` (
	`identity_id` text PRIMARY KEY NOT NULL,
	`words` text,
	`until_ms` integer,
	`barred_at_ms` integer
);
--> statement-breakpoint
CREATE TABLE `tip_summaries` (
	`transport` text NOT NULL,
	`chat_id` text NOT NULL,
	`tipped_message_id` text NOT NULL,
	`message_id` text NOT NULL,
	PRIMARY KEY(`transport`, `chat_id`, `tipped_message_id`)
);
--> statement-breakpoint
CREATE TABLE `top_members` (
	`transport` text NOT NULL,
	`community_id` text NOT NULL,
	`user_id` text NOT NULL,
	`since_ms` integer NOT NULL,
	PRIMARY KEY(`transport`, `community_id`, `user_id`)
);
--> statement-breakpoint
CREATE INDEX `top_members_user_idx` ON `top_members` (`user_id`);--> statement-breakpoint
CREATE TABLE `transfers` (
	`id` text PRIMARY KEY NOT NULL,
	`network` text NOT NULL,
	`purpose` text NOT NULL,
	`source_account` text,
	`cross_from` text,
	`from_address` text NOT NULL,
	`to_address` text NOT NULL,
	`to_account` text,
	`amount_micro_usdc` integer NOT NULL,
	`generation` integer NOT NULL,
	`status` text NOT NULL,
	`held_reason` text,
	`compared_at_ms` integer,
	`former_loss_at_ms` integer,
	`former_nonce_at_ms` integer,
	`counted_on` text,
	`nonce` text,
	`valid_before` integer,
	`signature` text,
	`carrier_id` text,
	`next_try_at_ms` integer NOT NULL,
	`tries` integer NOT NULL,
	`exposed` integer NOT NULL,
	`landed_transaction` text,
	`landed_block` integer,
	`created_at_ms` integer NOT NULL,
	CONSTRAINT "transfers_amount_positive" CHECK("transfers"."amount_micro_usdc" > 0)
);
--> statement-breakpoint
CREATE INDEX `transfers_status_idx` ON `transfers` (`status`,`network`,`carrier_id`,`next_try_at_ms`);--> statement-breakpoint
CREATE INDEX `transfers_exposed_idx` ON `transfers` (`network`,`exposed`) WHERE "transfers"."exposed" = true;--> statement-breakpoint
CREATE INDEX `transfers_carrier_idx` ON `transfers` (`carrier_id`);--> statement-breakpoint
CREATE INDEX `transfers_nonce_idx` ON `transfers` (`network`,`nonce`);--> statement-breakpoint
CREATE INDEX `transfers_cross_idx` ON `transfers` (`cross_from`,`status`);--> statement-breakpoint
CREATE INDEX `transfers_to_idx` ON `transfers` (`to_address`,`created_at_ms`);--> statement-breakpoint
CREATE INDEX `transfers_counted_idx` ON `transfers` (`counted_on`);--> statement-breakpoint
CREATE TABLE `treasuries` (
	`wallet_id` text PRIMARY KEY NOT NULL,
	`transport` text NOT NULL,
	`community_id` text NOT NULL,
	`looked_at_ms` integer NOT NULL,
	`created_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `treasuries_looked_idx` ON `treasuries` (`looked_at_ms`);--> statement-breakpoint
CREATE TABLE `treasury_addresses` (
	`id` text PRIMARY KEY NOT NULL,
	`request_key` text NOT NULL,
	`wallet_id` text NOT NULL,
	`network` text NOT NULL,
	`address` text NOT NULL,
	`set_by` text NOT NULL,
	`transport` text NOT NULL,
	`chat_id` text NOT NULL,
	`message_id` text,
	`language` text,
	`set_at_ms` integer NOT NULL,
	`announced_at_ms` integer,
	`cancelled_by` text,
	`cancelled_at_ms` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `treasury_addresses_request_uq` ON `treasury_addresses` (`request_key`);--> statement-breakpoint
CREATE INDEX `treasury_addresses_wallet_idx` ON `treasury_addresses` (`wallet_id`,`network`);--> statement-breakpoint
CREATE TABLE `treasury_confirmations` (
	`withdrawal_id` text NOT NULL,
	`user_id` text NOT NULL,
	`role` text NOT NULL,
	`confirmed_at_ms` integer NOT NULL,
	PRIMARY KEY(`withdrawal_id`, `user_id`)
);
--> statement-breakpoint
CREATE TABLE `treasury_deposits` (
	`wallet_id` text NOT NULL,
	`network` text NOT NULL,
	`total_micro_usdc` integer NOT NULL,
	`seen_at_ms` integer NOT NULL,
	PRIMARY KEY(`wallet_id`, `network`, `total_micro_usdc`)
);
--> statement-breakpoint
CREATE TABLE `treasury_withdrawals` (
	`id` text PRIMARY KEY NOT NULL,
	`request_key` text NOT NULL,
	`wallet_id` text NOT NULL,
	`address_id` text NOT NULL,
	`network` text NOT NULL,
	`to_address` text NOT NULL,
	`amount_micro_usdc` integer NOT NULL,
	`status` text NOT NULL,
	`proposed_by` text NOT NULL,
	`transport` text NOT NULL,
	`community_id` text NOT NULL,
	`chat_id` text NOT NULL,
	`message_id` text,
	`language` text,
	`is_owner_alone` integer,
	`ended_by` text,
	`created_at_ms` integer NOT NULL,
	`ended_at_ms` integer,
	CONSTRAINT "treasury_withdrawals_amount_positive" CHECK("treasury_withdrawals"."amount_micro_usdc" > 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `treasury_withdrawals_request_uq` ON `treasury_withdrawals` (`request_key`);--> statement-breakpoint
CREATE INDEX `treasury_withdrawals_wallet_idx` ON `treasury_withdrawals` (`wallet_id`,`status`);--> statement-breakpoint
CREATE INDEX `treasury_withdrawals_open_idx` ON `treasury_withdrawals` (`status`,`created_at_ms`);--> statement-breakpoint
CREATE TABLE `waiting_responses` (
	`id` text PRIMARY KEY NOT NULL,
	`payment_id` text NOT NULL,
	`process` text NOT NULL,
	`epoch` integer NOT NULL,
	`state` text NOT NULL,
	`asked` integer NOT NULL,
	`renewed` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `waiting_responses_payment_idx` ON `waiting_responses` (`payment_id`);--> statement-breakpoint
CREATE INDEX `waiting_responses_owner_idx` ON `waiting_responses` (`process`,`epoch`);--> statement-breakpoint
CREATE TABLE `wallet_changes` (
	`identity_id` text NOT NULL,
	`network` text NOT NULL,
	`address` text NOT NULL,
	`source` text NOT NULL,
	`claim_id` text NOT NULL,
	`effective_at_ms` integer NOT NULL,
	PRIMARY KEY(`identity_id`, `network`)
);
--> statement-breakpoint
CREATE INDEX `wallet_changes_due_idx` ON `wallet_changes` (`effective_at_ms`);--> statement-breakpoint
CREATE TABLE `wallet_deposits` (
	`network` text NOT NULL,
	`transaction` text NOT NULL,
	`place` integer NOT NULL,
	`wallet_id` text NOT NULL,
	`amount_micro_usdc` integer NOT NULL,
	`at_ms` integer NOT NULL,
	PRIMARY KEY(`wallet_id`, `network`, `transaction`, `place`)
);
--> statement-breakpoint
CREATE INDEX `wallet_deposits_wallet_idx` ON `wallet_deposits` (`wallet_id`,`at_ms`);--> statement-breakpoint
CREATE TABLE `wallet_holders` (
	`holder_id` text NOT NULL,
	`wallet_id` text NOT NULL,
	`identity_id` text NOT NULL,
	`name` text NOT NULL,
	`since_ms` integer NOT NULL,
	`spends_from_ms` integer NOT NULL,
	`looks_from_ms` integer NOT NULL,
	PRIMARY KEY(`holder_id`, `wallet_id`)
);
--> statement-breakpoint
CREATE INDEX `wallet_holders_wallet_idx` ON `wallet_holders` (`wallet_id`);--> statement-breakpoint
CREATE TABLE `wallet_limits` (
	`wallet_id` text PRIMARY KEY NOT NULL,
	`limits` text NOT NULL,
	`revision` integer NOT NULL,
	`changed_by` text NOT NULL,
	`changed_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `wallet_withdrawals` (
	`id` text PRIMARY KEY NOT NULL,
	`holder_id` text NOT NULL,
	`request_key` text NOT NULL,
	`wallet_id` text NOT NULL,
	`network` text NOT NULL,
	`from_address` text NOT NULL,
	`to_address` text NOT NULL,
	`to_treasury` text,
	`amount_micro_usdc` integer NOT NULL,
	`passkey_id` text,
	`status` text NOT NULL,
	`failure` text,
	`created_at_ms` integer NOT NULL,
	`not_before_ms` integer NOT NULL,
	`notified_at_ms` integer,
	`counted_on` text,
	`called_off_at_ms` integer,
	`ended_at_ms` integer,
	CONSTRAINT "withdrawals_amount_positive" CHECK("wallet_withdrawals"."amount_micro_usdc" > 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `withdrawals_request_uq` ON `wallet_withdrawals` (`holder_id`,`request_key`);--> statement-breakpoint
CREATE INDEX `withdrawals_status_idx` ON `wallet_withdrawals` (`network`,`status`,`not_before_ms`);--> statement-breakpoint
CREATE INDEX `withdrawals_wallet_idx` ON `wallet_withdrawals` (`wallet_id`,`created_at_ms`);--> statement-breakpoint
CREATE TABLE `wallets` (
	`identity_id` text NOT NULL,
	`network` text NOT NULL,
	`address` text NOT NULL,
	`source` text NOT NULL,
	`linked_at_ms` integer NOT NULL,
	`used_at_ms` integer NOT NULL,
	`full_until_ms` integer,
	PRIMARY KEY(`identity_id`, `network`)
);
--> statement-breakpoint
CREATE INDEX `wallets_source_idx` ON `wallets` (`source`,`linked_at_ms`);--> statement-breakpoint
CREATE INDEX `wallets_address_idx` ON `wallets` (`address`);--> statement-breakpoint
CREATE TABLE `withdrawal_messages` (
	`withdrawal_id` text PRIMARY KEY NOT NULL,
	`transport` text NOT NULL,
	`chat_id` text NOT NULL,
	`message_id` text NOT NULL,
	`language` text
);
