package sidelight.sdk;

import com.google.protobuf.Empty;
import io.dapr.v1.AppCallbackGrpc;
import io.dapr.v1.DaprAppCallbackProtos.ListTopicSubscriptionsResponse;
import io.dapr.v1.DaprAppCallbackProtos.TopicEventRequest;
import io.dapr.v1.DaprAppCallbackProtos.TopicEventResponse;
import io.dapr.v1.DaprAppCallbackProtos.TopicEventResponse.TopicEventResponseStatus;
import io.dapr.v1.DaprAppCallbackProtos.TopicSubscription;
import io.grpc.stub.StreamObserver;

/** The subscriber that is called over gRPC. */
final class GrpcApp extends AppCallbackGrpc.AppCallbackImplBase {
  @Override
  public void listTopicSubscriptions(Empty request, StreamObserver<ListTopicSubscriptionsResponse> to) {
    to.onNext(ListTopicSubscriptionsResponse.newBuilder()
        .addSubscriptions(TopicSubscription.newBuilder()
            .setPubsubName(Answers.PUBSUB).setTopic(Answers.TOPIC).setDeadLetterTopic(Answers.DEAD))
        .addSubscriptions(TopicSubscription.newBuilder().setPubsubName(Answers.PUBSUB).setTopic(Answers.DEAD))
        .build());
    to.onCompleted();
  }

  @Override
  public void onTopicEvent(TopicEventRequest request, StreamObserver<TopicEventResponse> to) {
    String answer = Answers.to(request.getTopic(), Answers.read(request.getData().toByteArray()));
    to.onNext(TopicEventResponse.newBuilder().setStatus(TopicEventResponseStatus.valueOf(answer)).build());
    to.onCompleted();
  }
}
