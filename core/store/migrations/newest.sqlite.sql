-- What the migrations make of an empty store; written by tests/data/schemas/make.py

CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL,
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);

CREATE TABLE source (
	id INTEGER NOT NULL,
	path TEXT NOT NULL,
	format VARCHAR(40) NOT NULL,
	fingerprint VARCHAR(80) NOT NULL,
	scanned_at DATETIME,
	episodes INTEGER NOT NULL,
	steps INTEGER NOT NULL,
	screens INTEGER NOT NULL,
	problems INTEGER NOT NULL, changed BIGINT DEFAULT '0' NOT NULL, texts INTEGER DEFAULT '0' NOT NULL, owner_host TEXT DEFAULT '' NOT NULL, owner_started VARCHAR(80) DEFAULT '' NOT NULL, owner_claim VARCHAR(32) DEFAULT '' NOT NULL, owner_machine VARCHAR(64) DEFAULT '' NOT NULL, owner_pid INTEGER, beat INTEGER DEFAULT '0' NOT NULL,
	CONSTRAINT pk_source PRIMARY KEY (id),
	CONSTRAINT uq_source_path UNIQUE (path)
);

CREATE TABLE episode (
	id INTEGER NOT NULL,
	source_id INTEGER NOT NULL,
	position INTEGER NOT NULL,
	episode TEXT NOT NULL,
	goal TEXT NOT NULL,
	app TEXT,
	platform VARCHAR(20) NOT NULL,
	steps INTEGER NOT NULL,
	screens INTEGER NOT NULL,
	action_count INTEGER NOT NULL,
	actions TEXT NOT NULL,
	label VARCHAR(20) NOT NULL,
	reason VARCHAR(20) NOT NULL,
	follow_up TEXT NOT NULL,
	asks INTEGER NOT NULL,
	split TEXT NOT NULL,
	problem_count INTEGER NOT NULL, kind VARCHAR(12) DEFAULT 'episode' NOT NULL, place TEXT DEFAULT '' NOT NULL, checked BOOLEAN DEFAULT 1 NOT NULL,
	CONSTRAINT pk_episode PRIMARY KEY (id),
	CONSTRAINT fk_episode_source_id FOREIGN KEY(source_id) REFERENCES source (id) ON DELETE CASCADE,
	CONSTRAINT uq_episode_source_id_episode UNIQUE (source_id, episode)
);

CREATE UNIQUE INDEX ix_episode_place ON episode (source_id, position);

CREATE TABLE problem (
	id INTEGER NOT NULL,
	source_id INTEGER NOT NULL,
	episode TEXT NOT NULL,
	step INTEGER,
	field TEXT NOT NULL,
	file TEXT NOT NULL,
	message TEXT NOT NULL,
	CONSTRAINT pk_problem PRIMARY KEY (id),
	CONSTRAINT fk_problem_source_id FOREIGN KEY(source_id) REFERENCES source (id) ON DELETE CASCADE
);

CREATE INDEX ix_problem_source_id_episode ON problem (source_id, episode);

CREATE TABLE run (
	id VARCHAR(32) NOT NULL,
	task VARCHAR(20) NOT NULL,
	model TEXT NOT NULL,
	source TEXT NOT NULL,
	format VARCHAR(40) NOT NULL,
	protocol VARCHAR(40) NOT NULL,
	options TEXT NOT NULL,
	split TEXT NOT NULL,
	item_limit INTEGER,
	seed INTEGER NOT NULL,
	device VARCHAR(40) NOT NULL,
	predictions TEXT NOT NULL,
	code_version VARCHAR(40) NOT NULL,
	scorer_version VARCHAR(40) NOT NULL,
	state VARCHAR(20) NOT NULL,
	created DATETIME NOT NULL,
	finished DATETIME,
	total INTEGER,
	worker_host TEXT NOT NULL,
	worker_pid INTEGER,
	worker_started VARCHAR(80) NOT NULL,
	worker_claim VARCHAR(32) NOT NULL,
	heartbeat DATETIME,
	note TEXT NOT NULL,
	message TEXT NOT NULL, filter TEXT DEFAULT '' NOT NULL, chosen INTEGER, worker_machine VARCHAR(64) DEFAULT '' NOT NULL, runtime VARCHAR(40) DEFAULT 'auto' NOT NULL, name TEXT DEFAULT '' NOT NULL, remark TEXT DEFAULT '' NOT NULL, tags TEXT DEFAULT '[]' NOT NULL, pinned BOOLEAN DEFAULT 0 NOT NULL, archived BOOLEAN DEFAULT 0 NOT NULL, machines TEXT DEFAULT '[]' NOT NULL, weights VARCHAR(64) DEFAULT '' NOT NULL, worked_s FLOAT DEFAULT 0 NOT NULL,
	CONSTRAINT pk_run PRIMARY KEY (id)
);

CREATE INDEX ix_run_created ON run (created);

CREATE INDEX ix_run_state ON run (state);

CREATE TABLE selection (
	run_id VARCHAR(32) NOT NULL,
	episodes TEXT NOT NULL,
	CONSTRAINT pk_selection PRIMARY KEY (run_id),
	CONSTRAINT fk_selection_run_id FOREIGN KEY(run_id) REFERENCES run (id) ON DELETE CASCADE
);

CREATE TABLE prediction (
	id INTEGER NOT NULL,
	run_id VARCHAR(32) NOT NULL,
	episode TEXT NOT NULL,
	step INTEGER NOT NULL,
	status VARCHAR(20) NOT NULL,
	reference VARCHAR(20) NOT NULL,
	kind VARCHAR(20) NOT NULL,
	answer TEXT,
	confidence FLOAT,
	latency_ms FLOAT,
	raw TEXT NOT NULL,
	why TEXT NOT NULL, trace TEXT,
	CONSTRAINT pk_prediction PRIMARY KEY (id),
	CONSTRAINT fk_prediction_run_id FOREIGN KEY(run_id) REFERENCES run (id) ON DELETE CASCADE,
	CONSTRAINT uq_prediction_run_id_episode_step UNIQUE (run_id, episode, step)
);

CREATE TABLE scoring (
	id INTEGER NOT NULL,
	run_id VARCHAR(32) NOT NULL,
	scorer VARCHAR(40) NOT NULL,
	scorer_version VARCHAR(40) NOT NULL,
	options TEXT NOT NULL,
	own BOOLEAN NOT NULL, changed BIGINT DEFAULT '0' NOT NULL,
	CONSTRAINT pk_scoring PRIMARY KEY (id),
	CONSTRAINT fk_scoring_run_id FOREIGN KEY(run_id) REFERENCES run (id) ON DELETE CASCADE,
	CONSTRAINT uq_scoring_run_id_scorer_options UNIQUE (run_id, scorer, options)
);

CREATE TABLE score (
	scoring_id INTEGER NOT NULL,
	prediction_id INTEGER NOT NULL,
	status VARCHAR(20) NOT NULL,
	value FLOAT,
	why TEXT NOT NULL,
	malformed BOOLEAN NOT NULL,
	parts TEXT NOT NULL,
	CONSTRAINT pk_score PRIMARY KEY (scoring_id, prediction_id),
	CONSTRAINT fk_score_prediction_id FOREIGN KEY(prediction_id) REFERENCES prediction (id) ON DELETE CASCADE,
	CONSTRAINT fk_score_scoring_id FOREIGN KEY(scoring_id) REFERENCES scoring (id) ON DELETE CASCADE
)
 WITHOUT ROWID;

CREATE INDEX ix_score_prediction_id ON score (prediction_id);

CREATE TABLE session (
	name TEXT NOT NULL,
	payload TEXT NOT NULL,
	updated DATETIME NOT NULL,
	CONSTRAINT pk_session PRIMARY KEY (name)
);

CREATE TABLE annotation (
	id INTEGER NOT NULL,
	source TEXT NOT NULL,
	episode TEXT NOT NULL,
	step INTEGER NOT NULL,
	kind VARCHAR(12) NOT NULL,
	slot TEXT NOT NULL,
	value TEXT NOT NULL,
	author TEXT NOT NULL,
	made DATETIME NOT NULL,
	CONSTRAINT pk_annotation PRIMARY KEY (id),
	CONSTRAINT uq_annotation_source_episode_kind_step_slot UNIQUE (source, episode, kind, step, slot)
);

CREATE TABLE steps (
	episode_id INTEGER NOT NULL,
	facts BLOB NOT NULL,
	texts BLOB NOT NULL,
	CONSTRAINT pk_steps PRIMARY KEY (episode_id),
	CONSTRAINT fk_steps_episode_id FOREIGN KEY(episode_id) REFERENCES episode (id) ON DELETE CASCADE
);

CREATE TABLE step_text (
	source_id INTEGER NOT NULL,
	text TEXT NOT NULL,
	number INTEGER NOT NULL,
	CONSTRAINT pk_step_text PRIMARY KEY (source_id, text),
	CONSTRAINT fk_step_text_source_id FOREIGN KEY(source_id) REFERENCES source (id) ON DELETE CASCADE
)
 WITHOUT ROWID;

CREATE TABLE prediction_picture (
	prediction_id INTEGER NOT NULL,
	ordinal INTEGER NOT NULL,
	name TEXT NOT NULL,
	step INTEGER,
	box TEXT,
	picture BLOB NOT NULL,
	CONSTRAINT pk_prediction_picture PRIMARY KEY (prediction_id, ordinal),
	CONSTRAINT fk_prediction_picture_prediction_id FOREIGN KEY(prediction_id) REFERENCES prediction (id) ON DELETE CASCADE
);

CREATE TABLE campaign (
	id INTEGER NOT NULL,
	name TEXT NOT NULL,
	instructions TEXT NOT NULL,
	k INTEGER NOT NULL, task VARCHAR(20) DEFAULT 'demonstration' NOT NULL,
	CONSTRAINT pk_campaign PRIMARY KEY (id),
	CONSTRAINT uq_campaign_name UNIQUE (name)
);

CREATE TABLE campaign_app (
	id INTEGER NOT NULL,
	campaign_id INTEGER NOT NULL,
	package TEXT NOT NULL,
	title TEXT NOT NULL,
	category TEXT NOT NULL,
	CONSTRAINT pk_campaign_app PRIMARY KEY (id),
	CONSTRAINT fk_campaign_app_campaign_id FOREIGN KEY(campaign_id) REFERENCES campaign (id) ON DELETE CASCADE,
	CONSTRAINT uq_campaign_app_campaign_id_package UNIQUE (campaign_id, package)
);

CREATE TABLE campaign_goal (
	id INTEGER NOT NULL,
	app_id INTEGER NOT NULL,
	text TEXT NOT NULL,
	author TEXT NOT NULL,
	CONSTRAINT pk_campaign_goal PRIMARY KEY (id),
	CONSTRAINT fk_campaign_goal_app_id FOREIGN KEY(app_id) REFERENCES campaign_app (id) ON DELETE CASCADE,
	CONSTRAINT uq_campaign_goal_app_id_text UNIQUE (app_id, text)
);

CREATE TABLE campaign_annotator (
	id INTEGER NOT NULL,
	campaign_id INTEGER NOT NULL,
	name TEXT NOT NULL,
	CONSTRAINT pk_campaign_annotator PRIMARY KEY (id),
	CONSTRAINT fk_campaign_annotator_campaign_id FOREIGN KEY(campaign_id) REFERENCES campaign (id) ON DELETE CASCADE,
	CONSTRAINT uq_campaign_annotator_campaign_id_name UNIQUE (campaign_id, name)
);

CREATE TABLE campaign_pair (
	id INTEGER NOT NULL,
	app_id INTEGER NOT NULL,
	goal_id INTEGER NOT NULL,
	origin VARCHAR(20) NOT NULL,
	cluster INTEGER,
	CONSTRAINT pk_campaign_pair PRIMARY KEY (id),
	CONSTRAINT fk_campaign_pair_app_id FOREIGN KEY(app_id) REFERENCES campaign_app (id) ON DELETE CASCADE,
	CONSTRAINT fk_campaign_pair_goal_id FOREIGN KEY(goal_id) REFERENCES campaign_goal (id) ON DELETE CASCADE,
	CONSTRAINT uq_campaign_pair_app_id_goal_id UNIQUE (app_id, goal_id)
);

CREATE INDEX ix_campaign_pair_goal_id ON campaign_pair (goal_id);

CREATE TABLE campaign_assignment (
	id INTEGER NOT NULL,
	pair_id INTEGER NOT NULL,
	annotator_id INTEGER NOT NULL,
	state VARCHAR(10) NOT NULL, shown VARCHAR(10) DEFAULT '' NOT NULL,
	CONSTRAINT pk_campaign_assignment PRIMARY KEY (id),
	CONSTRAINT fk_campaign_assignment_pair_id FOREIGN KEY(pair_id) REFERENCES campaign_pair (id) ON DELETE CASCADE,
	CONSTRAINT fk_campaign_assignment_annotator_id FOREIGN KEY(annotator_id) REFERENCES campaign_annotator (id) ON DELETE CASCADE,
	CONSTRAINT uq_campaign_assignment_pair_id_annotator_id UNIQUE (pair_id, annotator_id)
);

CREATE INDEX ix_campaign_assignment_annotator_id ON campaign_assignment (annotator_id);

CREATE TABLE campaign_demonstration (
	assignment_id INTEGER NOT NULL,
	folder TEXT NOT NULL,
	episode TEXT NOT NULL,
	label VARCHAR(20) NOT NULL,
	reason VARCHAR(20) NOT NULL,
	follow_up TEXT NOT NULL,
	seconds FLOAT,
	made DATETIME NOT NULL,
	CONSTRAINT pk_campaign_demonstration PRIMARY KEY (assignment_id),
	CONSTRAINT fk_campaign_demonstration_assignment_id FOREIGN KEY(assignment_id) REFERENCES campaign_assignment (id) ON DELETE CASCADE
);

CREATE TABLE web_answer (
	id INTEGER NOT NULL,
	source TEXT NOT NULL,
	task TEXT NOT NULL,
	instance TEXT NOT NULL,
	annotator TEXT NOT NULL,
	fields TEXT NOT NULL,
	seconds FLOAT NOT NULL,
	changed DATETIME NOT NULL,
	submitted DATETIME,
	log TEXT NOT NULL,
	CONSTRAINT pk_web_answer PRIMARY KEY (id),
	CONSTRAINT uq_web_answer_source_instance_annotator UNIQUE (source, instance, annotator)
);

CREATE TABLE judgement (
	id INTEGER NOT NULL,
	source TEXT NOT NULL,
	episode TEXT NOT NULL,
	step INTEGER NOT NULL,
	first TEXT NOT NULL,
	second TEXT NOT NULL,
	judge TEXT NOT NULL,
	by_model BOOLEAN NOT NULL,
	first_text TEXT NOT NULL,
	second_text TEXT NOT NULL,
	first_fulfilled BOOLEAN,
	second_fulfilled BOOLEAN,
	first_satisfies BOOLEAN,
	second_satisfies BOOLEAN,
	rejected TEXT NOT NULL,
	remark TEXT NOT NULL,
	seconds FLOAT NOT NULL,
	seed INTEGER NOT NULL,
	made DATETIME NOT NULL, detail TEXT DEFAULT '' NOT NULL, error TEXT DEFAULT '' NOT NULL,
	CONSTRAINT pk_judgement PRIMARY KEY (id),
	CONSTRAINT uq_judgement_source_episode_step_first_second_judge_by_model UNIQUE (source, episode, step, first, second, judge, by_model)
);

CREATE TABLE judge_assignment (
	id INTEGER NOT NULL,
	source TEXT NOT NULL,
	episode TEXT NOT NULL,
	step INTEGER NOT NULL,
	first TEXT NOT NULL,
	second TEXT NOT NULL,
	annotator TEXT NOT NULL,
	position INTEGER NOT NULL,
	CONSTRAINT pk_judge_assignment PRIMARY KEY (id),
	CONSTRAINT uq_judge_assignment_source_episode_step_first_second_annotator UNIQUE (source, episode, step, first, second, annotator)
);

CREATE TABLE written_text (
	id INTEGER NOT NULL,
	source TEXT NOT NULL,
	episode TEXT NOT NULL,
	step INTEGER NOT NULL,
	author TEXT NOT NULL,
	text TEXT NOT NULL,
	seconds FLOAT NOT NULL,
	made DATETIME NOT NULL,
	CONSTRAINT pk_written_text PRIMARY KEY (id),
	CONSTRAINT uq_written_text_source_episode_step_author UNIQUE (source, episode, step, author)
);

CREATE TABLE human_order (
	id INTEGER NOT NULL,
	source TEXT NOT NULL,
	procedure TEXT NOT NULL,
	annotator TEXT NOT NULL,
	blind BOOLEAN NOT NULL,
	orders TEXT NOT NULL,
	seconds FLOAT NOT NULL,
	confidence INTEGER,
	helped TEXT,
	shown TEXT NOT NULL,
	seed INTEGER NOT NULL,
	changed DATETIME NOT NULL,
	submitted DATETIME,
	CONSTRAINT pk_human_order PRIMARY KEY (id),
	CONSTRAINT uq_human_order_source_procedure_annotator_blind UNIQUE (source, procedure, annotator, blind)
);

CREATE TABLE model_call (
	prediction_id INTEGER NOT NULL,
	ordinal INTEGER NOT NULL,
	messages TEXT NOT NULL,
	settings TEXT NOT NULL,
	output TEXT,
	tokens_in INTEGER,
	tokens_out INTEGER,
	first_ms FLOAT,
	ms FLOAT,
	attempts TEXT NOT NULL,
	retries INTEGER NOT NULL,
	stop TEXT NOT NULL,
	said TEXT NOT NULL,
	remembered BOOLEAN NOT NULL,
	CONSTRAINT pk_model_call PRIMARY KEY (prediction_id, ordinal),
	CONSTRAINT fk_model_call_prediction_id FOREIGN KEY(prediction_id) REFERENCES prediction (id) ON DELETE CASCADE
);

CREATE TABLE sent_text (
	run_id VARCHAR(32) NOT NULL,
	digest VARCHAR(64) NOT NULL,
	text TEXT NOT NULL,
	CONSTRAINT pk_sent_text PRIMARY KEY (run_id, digest),
	CONSTRAINT fk_sent_text_run_id FOREIGN KEY(run_id) REFERENCES run (id) ON DELETE CASCADE
)
 WITHOUT ROWID;

CREATE TABLE sent_picture (
	run_id VARCHAR(32) NOT NULL,
	digest VARCHAR(64) NOT NULL,
	picture BLOB NOT NULL,
	CONSTRAINT pk_sent_picture PRIMARY KEY (run_id, digest),
	CONSTRAINT fk_sent_picture_run_id FOREIGN KEY(run_id) REFERENCES run (id) ON DELETE CASCADE
);

CREATE TABLE cause_label (
	prediction_id INTEGER NOT NULL,
	cause VARCHAR(12) NOT NULL,
	author TEXT NOT NULL,
	made DATETIME NOT NULL,
	CONSTRAINT pk_cause_label PRIMARY KEY (prediction_id),
	CONSTRAINT fk_cause_label_prediction_id FOREIGN KEY(prediction_id) REFERENCES prediction (id) ON DELETE CASCADE
);

CREATE TABLE ambiguous_task (
	id INTEGER NOT NULL,
	source TEXT NOT NULL,
	episode TEXT NOT NULL,
	made_by TEXT NOT NULL,
	removed INTEGER NOT NULL,
	version TEXT NOT NULL,
	app TEXT NOT NULL,
	original TEXT NOT NULL,
	goal TEXT NOT NULL,
	pieces TEXT NOT NULL,
	readings TEXT NOT NULL,
	failed TEXT NOT NULL,
	made DATETIME NOT NULL,
	CONSTRAINT pk_ambiguous_task PRIMARY KEY (id),
	CONSTRAINT uq_ambiguous_task_source_episode_made_by_removed UNIQUE (source, episode, made_by, removed)
);

CREATE TABLE ask_review (
	id INTEGER NOT NULL,
	source TEXT NOT NULL,
	episode TEXT NOT NULL,
	made_by TEXT NOT NULL,
	removed INTEGER NOT NULL,
	reviewer TEXT NOT NULL,
	verdict VARCHAR(10) NOT NULL,
	wording VARCHAR(16) NOT NULL,
	goal TEXT NOT NULL,
	pieces TEXT NOT NULL,
	note TEXT NOT NULL,
	seconds FLOAT NOT NULL,
	made DATETIME NOT NULL,
	CONSTRAINT pk_ask_review PRIMARY KEY (id),
	CONSTRAINT uq_ask_review_source_episode_made_by_removed_reviewer UNIQUE (source, episode, made_by, removed, reviewer)
);

INSERT INTO alembic_version VALUES ('0018');
