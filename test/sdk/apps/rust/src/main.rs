//! The Rust app of the SDK suite. ../../README.md tells what it is asked to do.

use std::collections::HashSet;
use std::env;
use std::sync::Mutex;

use dapr::client::DaprInterface;
use dapr::dapr::proto::common::v1::{InvokeRequest, InvokeResponse};
use dapr::dapr::proto::runtime::v1::app_callback_server::{AppCallback, AppCallbackServer};
use dapr::dapr::proto::runtime::v1::{
    BindingEventRequest, BindingEventResponse, JobEventRequest, JobEventResponse,
    ListInputBindingsResponse, ListTopicSubscriptionsResponse, TopicEventBulkRequest,
    TopicEventBulkResponse, TopicEventRequest, TopicEventResponse, TopicSubscription,
};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};
use tonic::transport::Server;
use tonic::{Request, Response, Status};

const PUBSUB: &str = "pubsub";
const TOPIC: &str = "orders";
const DEAD: &str = "dead";
const SUCCESS: i32 = 0;
const RETRY: i32 = 1;
const DROP: i32 = 2;

fn say(line: Value) {
    println!("{line}");
}

#[derive(Default)]
struct App {
    retried: Mutex<HashSet<i64>>,
}

impl App {
    /// What this app makes of one event.
    fn answer(&self, topic: &str, data: &[u8]) -> Result<i32, Status> {
        let order: Value =
            serde_json::from_slice(data).map_err(|error| Status::internal(error.to_string()))?;
        let n = order["n"].as_i64().unwrap_or_default();
        say(json!({"got": topic, "n": n}));
        if topic == DEAD {
            return Ok(SUCCESS);
        }
        Ok(match order["do"].as_str() {
            Some("retry") => {
                let mut retried = self
                    .retried
                    .lock()
                    .map_err(|error| Status::internal(error.to_string()))?;
                if retried.insert(n) { RETRY } else { SUCCESS }
            }
            Some("drop") => DROP,
            Some("fail") => RETRY,
            _ => SUCCESS,
        })
    }
}

fn subscription(topic: &str, dead_letter_topic: &str) -> TopicSubscription {
    TopicSubscription {
        pubsub_name: PUBSUB.to_string(),
        topic: topic.to_string(),
        dead_letter_topic: dead_letter_topic.to_string(),
        ..TopicSubscription::default()
    }
}

#[tonic::async_trait]
impl AppCallback for App {
    async fn on_invoke(
        &self,
        _request: Request<InvokeRequest>,
    ) -> Result<Response<InvokeResponse>, Status> {
        Err(Status::unimplemented("on_invoke"))
    }

    async fn list_topic_subscriptions(
        &self,
        _request: Request<()>,
    ) -> Result<Response<ListTopicSubscriptionsResponse>, Status> {
        Ok(Response::new(ListTopicSubscriptionsResponse {
            subscriptions: vec![subscription(TOPIC, DEAD), subscription(DEAD, "")],
        }))
    }

    async fn on_topic_event(
        &self,
        request: Request<TopicEventRequest>,
    ) -> Result<Response<TopicEventResponse>, Status> {
        let event = request.into_inner();
        let status = self.answer(&event.topic, &event.data)?;
        Ok(Response::new(TopicEventResponse { status }))
    }

    async fn list_input_bindings(
        &self,
        _request: Request<()>,
    ) -> Result<Response<ListInputBindingsResponse>, Status> {
        Ok(Response::new(ListInputBindingsResponse::default()))
    }

    async fn on_binding_event(
        &self,
        _request: Request<BindingEventRequest>,
    ) -> Result<Response<BindingEventResponse>, Status> {
        Err(Status::unimplemented("on_binding_event"))
    }

    async fn on_bulk_topic_event(
        &self,
        _request: Request<TopicEventBulkRequest>,
    ) -> Result<Response<TopicEventBulkResponse>, Status> {
        Err(Status::unimplemented("on_bulk_topic_event"))
    }

    async fn on_job_event(
        &self,
        _request: Request<JobEventRequest>,
    ) -> Result<Response<JobEventResponse>, Status> {
        Err(Status::unimplemented("on_job_event"))
    }
}

async fn publish<T: DaprInterface>(client: &mut dapr::Client<T>) {
    for (n, what) in [(1, "ok"), (2, "retry"), (3, "drop"), (4, "fail")] {
        let data = json!({"n": n, "do": what}).to_string().into_bytes();
        match client
            .publish_event(PUBSUB, TOPIC, "application/json", data, None)
            .await
        {
            Ok(()) => say(json!({"published": n})),
            Err(error) => say(json!({"failed": "publish", "error": error.to_string()})),
        }
    }
    say(json!({"absent": "bulk"}));
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let address = format!("127.0.0.1:{}", env::var("APP_PORT")?).parse()?;
    tokio::spawn(async move {
        if let Err(error) = Server::builder()
            .add_service(AppCallbackServer::new(App::default()))
            .serve(address)
            .await
        {
            say(json!({"failed": "listening", "error": error.to_string()}));
        }
    });
    let mut client = dapr::Client::new().await?;
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    while let Some(line) = lines.next_line().await? {
        if line == "publish" {
            publish(&mut client).await;
        }
    }
    Ok(())
}
