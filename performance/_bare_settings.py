"""The product's settings, with one bare view beside its pages to compare a vote with."""

from webapp.settings import *  # noqa: F403

ROOT_URLCONF = "performance._bare_urls"
