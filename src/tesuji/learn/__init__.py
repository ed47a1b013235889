"""Learning: each module makes weights from games."""
