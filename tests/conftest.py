"""No test depends on the clock or on chance: examples have no deadline and are the same each time."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "ddsrta",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("ddsrta")
