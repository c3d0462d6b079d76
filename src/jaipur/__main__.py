"""`python -m jaipur`."""

from jaipur.cli import main

raise SystemExit(main())
