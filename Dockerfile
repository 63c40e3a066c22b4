# Sidelight without a window, for use beside other services: docs/containers.md.
FROM node:24-slim AS build
WORKDIR /src
COPY . .
# No binary of a desktop window is fetched.
RUN npm ci --ignore-scripts && npm run build && mkdir /pack && npm pack --pack-destination /pack

FROM node:24-slim
COPY --from=build /pack /pack
RUN npm install --global --ignore-scripts /pack/*.tgz && rm -r /pack && mkdir /data && chown node /data
USER node
# The history is in /data/sidelight, where `docker exec … sidelight wait` finds the instance too.
ENV XDG_DATA_HOME=/data
VOLUME /data
EXPOSE 3500 3580 50001
ENTRYPOINT ["sidelight"]
CMD ["--headless", "--sidecar-host", "0.0.0.0", "--console-host", "0.0.0.0"]
