"""One image with three readers, each with a core and a listener of its own: bounds by hand."""

import ddsrta

ASYNC = "mode: async, flow_controller: F"
SYNC = "mode: sync"
IMAGE = """
ddsrta: 1
name: one image
machines: {{m: {{cores: [c0, c1, c2, c3, c4]}}, n: {{cores: [c0]}}}}
network: [{{from: m, to: n, delay: 50us, best: 20us}}]
delays:
  flow_controller: {{1kB: {{worst: 100us, best: 40us}}}}
  publisher: {{1kB: {{worst: 100us, best: 40us}}}}
  listener: {{1kB: 10us}}
topics: {{image: {{size: 1kB, copies: {copies}}}, state: {{size: 1kB}}}}
flow_controllers: {{F: {{core: m/c1, priority: 50}}}}
listeners:
  La: {{core: m/c2, priority: 80}}
  Lb: {{core: n/c0, priority: 80}}
  Lc: {{core: m/c4, priority: 80}}
threads:
  camera:
    core: m/c0
    priority: 50
    wcet: 1ms
    bcet: 300us
    period: 10ms
    publishes:
      - {{topic: image, {mode}, count: {count}}}
      - {{topic: state, mode: sync}}
  a: {{core: m/c2, priority: 10, wcet: 1ms, subscribes: {{topics: [image], listener: La}}}}
  b: {{core: n/c0, priority: 30, wcet: 1ms, subscribes: {{topics: [image], listener: Lb}}}}
  c: {{core: m/c4, priority: 20, wcet: 1ms, subscribes: {{topics: [image, state], listener: Lc}}}}
chains:
  to a: {{path: [camera, image, a]}}
  to b: {{path: [camera, image, b]}}
  to c: {{path: [camera, image, c]}}
"""


def one_image(copies, mode, count=1):
    """The system; b is the most urgent reader, then c, then a."""
    return ddsrta.loads(IMAGE.format(copies=copies, mode=mode, count=count))
