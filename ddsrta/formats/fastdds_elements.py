"""What becomes of each element of Fast DDS profiles: read, without influence on time, or left out.

Paths begin with the kind of a profile. What stands in no table is unknown. Names of READ are exact;
the others are compared without case and underscores, as old versions write them in other ways.
"""

from __future__ import annotations

from collections.abc import Iterable

KINDS = {
    "data_writer": "writer",
    "publisher": "writer",
    "data_reader": "reader",
    "subscriber": "reader",
}
MANY = frozenset(
    [
        "profiles",
        "participant",
        "writer",
        "reader",
        "topic",
        "transport_descriptor",
        "flow_controller_descriptor",
        "property",
        "reception_thread",
        "transport_descriptors",
    ]
)
ATTRIBUTES = frozenset({"profile_name", "is_default_profile", "port"})
_SETTINGS = ("scheduling_policy", "priority", "affinity")


def _under(kinds: str, paths: Iterable[str]) -> Iterable[str]:
    return (f"{kind}/{path}" for kind in kinds.split() for path in paths)


def _thread(path: str) -> list[str]:
    return [path, *(f"{path}/{name}" for name in _SETTINGS)]


_PROPERTIES = [
    "propertiesPolicy",
    "propertiesPolicy/properties",
    "propertiesPolicy/properties/property",
    "propertiesPolicy/properties/property/name",
    "propertiesPolicy/properties/property/value",
]
_HISTORY = ["historyQos", "historyQos/kind", "historyQos/depth"]
_CONTROLLER = "rtps/flow_controller_descriptor_list/flow_controller_descriptor"
READ = frozenset(
    [
        *("writer", "reader", "topic", "participant", "profiles", "library_settings"),
        "library_settings/intraprocess_delivery",
        *_under("writer reader", ["topic", "topic/name", "qos", "times", *_PROPERTIES]),
        *_under("writer reader", [f"topic/{path}" for path in _HISTORY]),
        *_under("topic", _HISTORY),
        *_under("writer", ["qos/publishMode", "qos/publishMode/kind"]),
        "writer/qos/publishMode/flow_controller_name",
        *_under("participant", ["rtps", "rtps/flow_controller_descriptor_list", _CONTROLLER]),
        *_under("participant", (f"rtps/{path}" for path in _PROPERTIES)),
        *_under(
            f"participant/{_CONTROLLER}",
            ["name", "scheduler", "max_bytes_per_period", "period_ms", *_thread("sender_thread")],
        ),
        *_under("participant", _thread("rtps/builtin_controllers_sender_thread")),
        *("transport_descriptors", "transport_descriptors/transport_descriptor"),
        *_under(
            "transport_descriptors/transport_descriptor",
            [
                "transport_id",
                *_thread("default_reception_threads"),
                "reception_threads",
                *_thread("reception_threads/reception_thread"),
            ],
        ),
    ]
)

# Settings of other threads, throttles: told by those who read them, where they are set.
_TOLD = (
    "timed_events_thread discovery_server_thread typelookup_service_thread security_log_thread "
    "builtin_transports_reception_threads throughputController"
)
SILENT = frozenset(
    [
        *("log", "types", "library_settings/thread_settings", "domainparticipant_factory"),
        *_under("writer reader", ["topic/kind", "topic/dataType", "throughputController"]),
        *_under("writer reader", ["userDefinedID", "entityID", "expectsInlineQos"]),
        *_under("writer reader", ["qos/userData", "qos/topicData", "qos/groupData"]),
        *_under("topic", ["name", "dataType", "kind"]),
        *_under("participant/rtps", ["name", "userData", "prefix", "participantID"]),
        *_under("participant/rtps", _TOLD.split()),
        *_under(
            "transport_descriptors/transport_descriptor",
            ["keep_alive_thread", "accept_thread", "dump_thread"],
        ),
        *_under("writer reader", ["propertiesPolicy/properties/property/propagate"]),
        "participant/rtps/propertiesPolicy/properties/property/propagate",
        *(
            f"{path.rpartition('/')[0]}/stack_size"
            for path in READ
            if path.endswith("/scheduling_policy")
        ),
    ]
)

_WAY = "which way messages take is not modelled"
_RESEND = "heartbeats, acknowledgements and resends are not modelled"
_MEMORY = "memory that is taken while running takes time"
_TRANSPORT = "δ is that of the transport on which it was measured"
_FULL = "a full history makes write() wait, or loses samples"
_PARTITION = "who reads whom by partitions is not modelled: partitions that differ part them"
_ENDPOINT = {
    "topic/resourceLimitsQos": _FULL,
    "qos/data_sharing": "samples in shared memory take another way than δ says",
    "qos/deadline": "what happens when it passes is not modelled, and one that differs parts them",
    "qos/destinationOrder": "it decides which samples are taken",
    "qos/disablePositiveAcks": _RESEND,
    "qos/durability": "old samples for late readers are not modelled",
    "qos/durabilityService": "old samples for late readers are not modelled",
    "qos/latencyBudget": "not modelled",
    "qos/lifespan": "samples that are older are lost",
    "qos/liveliness": "its messages are not modelled, and one that differs parts them",
    "qos/ownership": "an exclusive owner's samples displace those of others",
    "qos/partition": _PARTITION,
    "qos/presentation": "coherent sets and their order are not modelled",
    "qos/reliability": _RESEND,
    "qos/timeBasedFilter": "samples that come too soon are left out",
    "unicastLocatorList": _WAY,
    "multicastLocatorList": _WAY,
    "externalUnicastLocators": _WAY,
    "remoteLocatorList": _WAY,
    "ignoreNonMatchingLocators": _WAY,
    "historyMemoryPolicy": _MEMORY,
    "propertiesPolicy/binaryProperties": "not modelled",
}
_WRITER = {
    "qos/disableHeartbeatPiggyback": _RESEND,
    "qos/ownershipStrength": "an exclusive owner's samples displace those of others",
    "qos/transportPriority": "priorities of the network are not modelled",
    "times/initialHeartbeatDelay": _RESEND,
    "times/heartbeatPeriod": _RESEND,
    "times/nackResponseDelay": _RESEND,
    "times/nackSupressionDuration": _RESEND,
    "times/disableHeartbeatPiggyback": _RESEND,
    "matchedSubscribersAllocation": _MEMORY,
}
_READER = {
    "qos/readerDataLifecycle": "not modelled",
    "times/initialAcknackDelay": _RESEND,
    "times/heartbeatResponseDelay": _RESEND,
    "matchedPublishersAllocation": _MEMORY,
}
_PARTICIPANT = {
    "domainId": "participants of other domains are not told apart",
    "domainIDType": "participants of other domains are not told apart",
    "rtps/defaultUnicastLocatorList": _WAY,
    "rtps/defaultMulticastLocatorList": _WAY,
    "rtps/defaultExternalUnicastLocators": _WAY,
    "rtps/ignoreNonMatchingLocators": _WAY,
    "rtps/easyModeIp": _WAY,
    "rtps/netmaskFilter": _WAY,
    "rtps/port": "ports are taken for the usual ones",
    "rtps/sendSocketBufferSize": "sockets are taken for never full",
    "rtps/listenSocketBufferSize": "sockets are taken for never full",
    "rtps/builtin": "discovery and liveliness are taken for over: their messages are not modelled",
    "rtps/userTransports": _TRANSPORT,
    "rtps/useBuiltinTransports": _TRANSPORT,
    "rtps/builtinTransports": f"max_msg_size and the rest: {_TRANSPORT}",
    "rtps/allocation": _MEMORY,
    "rtps/propertiesPolicy/binaryProperties": "not modelled",
}
_DESCRIPTOR = {
    "type": _TRANSPORT,
    "maxMessageSize": "larger samples leave in fragments, which are not modelled",
    "max_message_size": "larger samples leave in fragments, which are not modelled",
    "sendBufferSize": "sockets are taken for never full",
    "receiveBufferSize": "sockets are taken for never full",
    "nonBlockingSend": "what does not fit into the socket is lost",
    "segmentSize": "a full segment of shared memory loses samples",
    "portQueueCapacity": "a full queue of shared memory loses samples",
    "healthyCheckTimeoutMs": "not modelled",
    "rtpsDumpFile": "writing it takes time",
    "udpPriorityMappings": "priorities of the network are not modelled",
    "ethPriorityMappings": "priorities of the network are not modelled",
    **dict.fromkeys(
        [
            "maxInitialPeersRange",
            "interfaceWhiteList",
            "interfaces",
            "netmaskFilter",
            "TTL",
            "outputPort",
            "wanAddr",
            "output_ports",
            "listeningPorts",
            "ethInterfaceName",
            "ethOutputPort",
            "lowLevelTransport",
        ],
        _WAY,
    ),
    **dict.fromkeys(
        [
            "keepAliveFrequencyMs",
            "keepAliveTimeoutMs",
            "maxLogicalPort",
            "logicalPortRange",
            "logicalPortIncrement",
            "calculateCrc",
            "checkCrc",
            "enableTcpNodelay",
            "tls",
            "tcpNegotiationTimeout",
            "metadataLogicalPort",
        ],
        "connections of TCP are not modelled",
    ),
}


def plain(path: str) -> str:
    """A path without case and underscores.

    >>> plain("qos/disable_heartbeat_piggyback") == plain("qos/disableHeartbeatPiggyback")
    True
    """
    return path.replace("_", "").lower()


def _plain(kind: str, rows: dict[str, str]) -> dict[str, str]:
    return {plain(f"{kind}/{path}"): reason for path, reason in rows.items()}


LEFT_OUT = {
    **_plain("writer", _ENDPOINT | _WRITER),
    **_plain("reader", _ENDPOINT | _READER),
    **_plain("participant", _PARTICIPANT),
    **_plain("transport_descriptors/transport_descriptor", _DESCRIPTOR),
    **_plain("topic", {"resourceLimitsQos": _FULL}),
    "replier": "profiles of services are not read",
    "requester": "profiles of services are not read",
}
SILENT_PLAIN = frozenset(plain(path) for path in SILENT)

# Values with which an element asks for what it would be without it.
_ENDLESS = frozenset(
    [
        "DURATION_INFINITY",
        "DURATION_INFINITE_SEC",
        "DURATION_INFINITE_NSEC",
        "2147483647",
        "4294967295",
    ]
)
NO_CHANGE: dict[str, frozenset[str]] = {
    "lifespan": _ENDLESS,
    "deadline": _ENDLESS,
    "liveliness": _ENDLESS | {"AUTOMATIC"},
    "reliability": frozenset({"BEST_EFFORT"}),
    "durability": frozenset({"VOLATILE"}),
    "ownership": frozenset({"SHARED"}),
    "datasharing": frozenset({"OFF"}),
    "destinationorder": frozenset({"BY_RECEPTION_TIMESTAMP"}),
    "historymemorypolicy": frozenset({"PREALLOCATED"}),
    "type": frozenset({"UDPv4"}),
    "usebuiltintransports": frozenset({"true", "1"}),
    "nonblockingsend": frozenset({"false", "0"}),
}

# Properties: by kind of profile, with what becomes of them.
PROPERTIES_READ = {
    "writer": frozenset({"fastdds.sfc.priority", "fastdds.sfc.bandwidth_reservation"})
}
PROPERTIES = {
    "fastdds.push_mode": "the writer waits for readers to ask for samples: not modelled",
    "partitions": _PARTITION,
    "fastdds.max_message_size": "larger samples leave in fragments, which are not modelled",
}
PROPERTY_NO_CHANGE = {"fastdds.push_mode": frozenset({"true"})}
