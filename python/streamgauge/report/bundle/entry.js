// What the report draws with. README.md beside this file says how to build echarts.min.js from it.
import * as echarts from "echarts/core";
import {
  BarChart, BoxplotChart, CustomChart, HeatmapChart, LineChart, RadarChart, ScatterChart,
} from "echarts/charts";
import {
  AriaComponent, DatasetComponent, DataZoomComponent, GridComponent, LegendComponent,
  MarkAreaComponent, MarkLineComponent, MarkPointComponent, RadarComponent, ToolboxComponent,
  TooltipComponent, VisualMapComponent,
} from "echarts/components";
import { SVGRenderer } from "echarts/renderers";

echarts.use([
  BarChart, BoxplotChart, CustomChart, HeatmapChart, LineChart, RadarChart, ScatterChart,
  AriaComponent, DatasetComponent, DataZoomComponent, GridComponent, LegendComponent,
  MarkAreaComponent, MarkLineComponent, MarkPointComponent, RadarComponent, ToolboxComponent,
  TooltipComponent, VisualMapComponent, SVGRenderer,
]);

window.echarts = echarts;
