-- Which codecs a trunk is offered, best first and space-separated. Empty: G.722, then G.711 in the far side's own law.
ALTER TABLE trunks ADD COLUMN codecs TEXT NOT NULL DEFAULT '';
