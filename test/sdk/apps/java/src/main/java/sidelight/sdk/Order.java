package sidelight.sdk;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What the suite publishes: a number, and what the subscriber is to answer. */
public record Order(@JsonProperty("n") int n, @JsonProperty("do") String what) {
}
