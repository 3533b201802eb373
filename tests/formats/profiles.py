"""A Fast DDS profile file, as a template for tests."""

from __future__ import annotations

PROFILES = """\
<?xml version="1.0" encoding="UTF-8"?>
<dds xmlns="http://www.eprosima.com">
  <profiles>
    <transport_descriptors>
      <transport_descriptor>
        <transport_id>udp</transport_id>
        <type>UDPv4</type>
        <default_reception_threads>
          <scheduling_policy>1</scheduling_policy>
          <priority>77</priority>
          <affinity>2</affinity>
        </default_reception_threads>
      </transport_descriptor>
    </transport_descriptors>
    <participant profile_name="robot">
      <rtps>
        <flow_controller_descriptor_list>
          <flow_controller_descriptor>
            <name>urgent</name>
            <scheduler>HIGH_PRIORITY</scheduler>
            <sender_thread>
              <scheduling_policy>1</scheduling_policy>
              <priority>88</priority>
              <affinity>1</affinity>
            </sender_thread>
          </flow_controller_descriptor>
        </flow_controller_descriptor_list>
      </rtps>
    </participant>
    <data_writer profile_name="/speed">
      <topic><historyQos><kind>KEEP_LAST</kind><depth>5</depth></historyQos></topic>
      <qos>
        <publishMode>
          <kind>ASYNCHRONOUS</kind>
          <flow_controller_name>urgent</flow_controller_name>
        </publishMode>
      </qos>
      <propertiesPolicy>
        <properties>
          <property><name>fastdds.sfc.priority</name><value>-3</value></property>
        </properties>
      </propertiesPolicy>
    </data_writer>
    <data_reader profile_name="/speed">
      <topic><historyQos><kind>KEEP_LAST</kind><depth>2</depth></historyQos></topic>
    </data_reader>
  </profiles>
</dds>
"""
