package sidelight.sdk;

import io.dapr.Topic;
import io.dapr.client.domain.CloudEvent;
import java.util.Map;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** The subscriber over HTTP. */
@RestController
public class HttpApp {
  @Topic(pubsubName = Answers.PUBSUB, name = Answers.TOPIC, deadLetterTopic = Answers.DEAD)
  @PostMapping("/orders")
  public Map<String, String> orders(@RequestBody CloudEvent<Order> event) {
    return Map.of("status", Answers.to(Answers.TOPIC, event.getData()));
  }

  @Topic(pubsubName = Answers.PUBSUB, name = Answers.DEAD)
  @PostMapping("/dead")
  public Map<String, String> dead(@RequestBody CloudEvent<Order> event) {
    return Map.of("status", Answers.to(Answers.DEAD, event.getData()));
  }
}
