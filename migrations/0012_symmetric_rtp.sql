-- Whether a trunk's audio comes through a NAT and is followed to where its SDP does not say. Off, also for trunks that are
-- there already: following was how a stranger could take a call over.
ALTER TABLE trunks ADD COLUMN symmetric_rtp INTEGER NOT NULL DEFAULT 0;
