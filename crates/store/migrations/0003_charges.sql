-- A settlement is one row with its calls inside: written by one statement, it is there as a whole or not at all.

ALTER TABLE settlements ADD COLUMN calls TEXT NOT NULL DEFAULT '[]';

UPDATE settlements SET calls = (
    SELECT json_group_array(json_array(listing, method, price, outcome) ORDER BY position) FROM charges
    WHERE charges.caller = settlements.caller AND charges.request_id = settlements.request_id
);

DROP TABLE charges;

CREATE VIEW charges AS
SELECT caller, request_id, key AS position, value ->> 0 AS listing, value ->> 1 AS method, value ->> 2 AS price,
    value ->> 3 AS outcome
FROM settlements, json_each(settlements.calls);
