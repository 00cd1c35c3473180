"""The Miniflux API, version 1: `/v1` in JSON, with an app password as token or as password."""
